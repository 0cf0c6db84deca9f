// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// L D L^T from scratch (see ldl.h), in panels of four columns,
//
//     u_j = K_j - Σ_{k<j} u_k L_jk,   D_j = u_jj,   L_j = u_j / D_j:
//
// first the square on the diagonal, number by number, then the rows below it in vectors of four,
// then all columns behind the panel see its four together. The products and their order are those
// of appending row by row, and so are the bits. Vectors begin at rows that are multiples of four;
// what then stands above the diagonal has no meaning.

#include "linalg/ldl.h"

enum { width = cairn_ldl_panel };

// the square of a panel: L below the diagonal, D
typedef struct square {
    double L[width][width], D[width];
} square;

// Eliminates the square of the panel at `first`, of which `count` rows exist. Returns how many
// pivots were above their least.
CAIRN_INLINE int eliminate_square(square* s, const cairn_ldl* ldl, int first, int count,
                                  const double* least)
{
    double u[width][width] = {{0.0}};

    // rows that do not exist are those of the identity
    for (int j = 0; j < width; j++)
        for (int i = j; i < width; i++)
            u[i][j] = i < count ? cairn_ldl_column(ldl, first + j)[first + i] : i == j;

    for (int j = 0; j < width; j++) {
        s->D[j] = u[j][j];
        if (!(u[j][j] > least[j]) || !(u[j][j] > 0.0))
            return j;

        for (int i = j + 1; i < width; i++)
            s->L[i][j] = u[i][j] / u[j][j];
        for (int i = j + 1; i < width; i++)
            for (int k = j + 1; k <= i; k++)
                u[i][k] -= u[i][j] * s->L[k][j];
    }
    return count;
}

static void store_square(cairn_ldl* ldl, const square* s, int first, int count)
{
    for (int j = 0; j < count; j++) {
        ldl->D[first + j] = s->D[j];
        for (int i = j + 1; i < count; i++)
            cairn_ldl_column(ldl, first + j)[first + i] = s->L[i][j];
    }
    ldl->n = first + count;
}

// the rows below the square: u to `work`, L in place
CAIRN_INLINE void eliminate_rows(cairn_ldl* ldl, const square* s, int first, int n)
{
    for (int i = first + width; i < n; i += 4) {
        cairn_double4 u[width];
        for (int j = 0; j < width; j++) {
            double* l = cairn_ldl_column(ldl, first + j) + i;
            u[j] = cairn_load4(l);
            for (int k = 0; k < j; k++)
                u[j] -= u[k] * s->L[j][k];
            cairn_store4(ldl->work + (size_t)j * ldl->stride + i, u[j]);
            cairn_store4(l, u[j] / s->D[j]);
        }
    }
}

// column k ← column k - Σ u L_k over the panel at `first`
CAIRN_INLINE void subtract_panel(cairn_ldl* ldl, int first, int k, int n)
{
    double* y = cairn_ldl_column(ldl, k);
    double l[width];
    for (int j = 0; j < width; j++)
        l[j] = cairn_ldl_column(ldl, first + j)[k];
    for (int i = k / 4 * 4; i < n; i += 4) {
        cairn_double4 sum = cairn_load4(y + i);
        for (int j = 0; j < width; j++)
            sum -= cairn_load4(ldl->work + (size_t)j * ldl->stride + i) * l[j];
        cairn_store4(y + i, sum);
    }
}

// K into the columns, with zeros behind the last row
static void load_columns(cairn_ldl* ldl, const double* K, size_t stride, int n)
{
    for (int j = 0; j < n; j++) {
        double* column = cairn_ldl_column(ldl, j);
        int above = j / 4 * 4;
        memcpy(column + above, K + (size_t)j * stride + above,
               (size_t)(n - above) * sizeof(double));
        for (int i = n; i % 4 != 0; i++)
            column[i] = 0.0;
    }
}

bool CAIRN_KERNEL(cairn_ldl_factor_kernel)(cairn_ldl* ldl, const double* K, size_t stride, int n,
                                           double epsilon)
{
    cairn_ldl_clear(ldl);
    load_columns(ldl, K, stride, n);

    for (int first = 0; first < n; first += width) {
        square s;
        double least[width] = {0.0};
        int count = n - first < width ? n - first : width;
        for (int j = 0; j < count; j++)
            least[j] = epsilon * K[(stride + 1) * (size_t)(first + j)];

        int done = eliminate_square(&s, ldl, first, count, least);
        store_square(ldl, &s, first, done);
        if (done < count)
            return false;

        // the rows below the square, then the columns behind the panel
        eliminate_rows(ldl, &s, first, n);
        for (int k = first + width; k < n; k++)
            subtract_panel(ldl, first, k, n);
    }
    return true;
}
