// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The rule of verdicts: what a measured figure may say about a published one.

#include "check_cairn.h"
#include "verdict.h"
#include <string.h>

// a published range of 2 to 3, within a factor of 1.5
static verdict judge(double measured, verdict_sense sense)
{
    verdict_claim claim = {2.0, 3.0, measured, 1.5, sense, NULL};
    return verdict_judge(&claim, NULL);
}

TEST(a_figure_within_the_factor_is_reproduced_on_both_sides)
{
    CHECK(judge(2.5, VERDICT_LESS_IS_BETTER) == VERDICT_REPRODUCED);
    CHECK(judge(2.0 / 1.5 + 1e-9, VERDICT_LESS_IS_BETTER) == VERDICT_REPRODUCED);
    CHECK(judge(3.0 * 1.5 - 1e-9, VERDICT_LESS_IS_BETTER) == VERDICT_REPRODUCED);
    CHECK(judge(3.0 * 1.5 - 1e-9, VERDICT_MORE_IS_BETTER) == VERDICT_REPRODUCED);
}
END

TEST(beyond_the_factor_it_is_better_or_worse_by_its_sense)
{
    CHECK(judge(1.3, VERDICT_LESS_IS_BETTER) == VERDICT_BETTER);
    CHECK(judge(4.6, VERDICT_LESS_IS_BETTER) == VERDICT_WORSE);
    CHECK(judge(1.3, VERDICT_MORE_IS_BETTER) == VERDICT_WORSE);
    CHECK(judge(4.6, VERDICT_MORE_IS_BETTER) == VERDICT_BETTER);
}
END

TEST(an_open_side_has_no_beyond)
{
    verdict_claim rate = {20.0, INFINITY, 1e6, 1.0, VERDICT_MORE_IS_BETTER, NULL};
    CHECK(verdict_judge(&rate, NULL) == VERDICT_REPRODUCED);
    rate.measured = 19.9;
    CHECK(verdict_judge(&rate, NULL) == VERDICT_WORSE);
}
END

TEST(a_single_failure_is_worse_than_none)
{
    verdict_claim never = {0.0, 0.0, 0.0, 2.0, VERDICT_LESS_IS_BETTER, NULL};
    CHECK(verdict_judge(&never, NULL) == VERDICT_REPRODUCED);
    never.measured = 1.0;
    CHECK(verdict_judge(&never, NULL) == VERDICT_WORSE);
}
END

TEST(what_is_no_number_or_stands_for_something_else_is_not_compared_and_says_why)
{
    const char* why = NULL;
    verdict_claim claim = {2.0, 3.0, 2.5, 1.5, VERDICT_LESS_IS_BETTER, "another algorithm"};
    CHECK(verdict_judge(&claim, &why) == VERDICT_NOT_COMPARABLE);
    ck_assert_str_eq(why, "another algorithm");

    // no obstacle outranks a missing figure, whatever the numbers are
    const double bad[] = {NAN, INFINITY, -INFINITY};
    claim.obstacle = NULL;
    for (int k = 0; k < 3; k++) {
        claim.measured = bad[k];
        CHECK(verdict_judge(&claim, &why) == VERDICT_NOT_COMPARABLE);
        ck_assert_str_eq(why, "not measured in this run");
    }
    claim.measured = 2.5;
    claim.low = claim.high = NAN;
    CHECK(verdict_judge(&claim, &why) == VERDICT_NOT_COMPARABLE);
    ck_assert_str_eq(why, "the paper has no such figure");

    // a rule without a factor is no rule
    claim.low = claim.high = 2.5;
    claim.factor = 0.0;
    CHECK(verdict_judge(&claim, &why) == VERDICT_NOT_COMPARABLE);
    claim.factor = 1.0;
    CHECK(verdict_judge(&claim, &why) == VERDICT_REPRODUCED);
    CHECK(why == NULL);
}
END

TEST(several_figures_are_as_bad_as_the_worst_of_them)
{
    for (verdict a = VERDICT_REPRODUCED; a <= VERDICT_NOT_COMPARABLE; a++) {
        CHECK(verdict_join(a, a) == a);
        for (verdict b = VERDICT_REPRODUCED; b <= VERDICT_NOT_COMPARABLE; b++) {
            verdict both = verdict_join(a, b);
            CHECK(both == verdict_join(b, a));
            CHECK(both != VERDICT_BETTER || (a == VERDICT_BETTER && b == VERDICT_BETTER));
            CHECK(both == VERDICT_NOT_COMPARABLE ||
                  (a != VERDICT_NOT_COMPARABLE && b != VERDICT_NOT_COMPARABLE));
        }
    }
    CHECK(verdict_join(VERDICT_BETTER, VERDICT_WORSE) == VERDICT_WORSE);
    CHECK(verdict_join(VERDICT_BETTER, VERDICT_REPRODUCED) == VERDICT_REPRODUCED);
}
END

TEST(no_verdict_is_called_confirmed)
{
    for (verdict v = VERDICT_REPRODUCED; v <= VERDICT_NOT_COMPARABLE; v++)
        CHECK(!strstr(verdict_name(v), "confirm"));
}
END

TESTS(a_figure_within_the_factor_is_reproduced_on_both_sides,
      beyond_the_factor_it_is_better_or_worse_by_its_sense, an_open_side_has_no_beyond,
      a_single_failure_is_worse_than_none,
      what_is_no_number_or_stands_for_something_else_is_not_compared_and_says_why,
      several_figures_are_as_bad_as_the_worst_of_them, no_verdict_is_called_confirmed)
