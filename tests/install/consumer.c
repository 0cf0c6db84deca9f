#include <cairn/cairn.h>
#include <stdio.h>

int main(void)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_status status = cairn_solve(&problem, &def, NULL, &report, NULL);
    printf("cairn %s: %s\n", cairn_version(), cairn_outcome_name(report.outcome));
    return status == CAIRN_OK && report.outcome == CAIRN_OUTCOME_CONVERGED ? 0 : 1;
}
