import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { staff } from '../../../kit/request/caller.ts'
import { invalidChoice } from '../../../kit/request/errors.ts'
import { invalidQuery } from '../../../kit/request/problem.ts'
import { checkPattern } from '../../../settings/reference-pattern.ts'
import { BUILD_ORDER } from '../../build/build-kind.ts'
import { suggestReference } from '../../order/next-reference.ts'
import { PURCHASE_ORDER } from '../../order/po/po-kind.ts'
import { RETURN_ORDER } from '../../order/ro/ro-kind.ts'
import { SALES_ORDER } from '../../order/so/so-kind.ts'
import { TRANSFER_ORDER } from '../../order/transfer-order/transfer-order-kind.ts'

const KINDS = [PURCHASE_ORDER, SALES_ORDER, RETURN_ORDER, TRANSFER_ORDER, BUILD_ORDER]
const MODELS = KINDS.map(({ model }) => model)

/** Tries a reference pattern before it is saved. */
export const previewReference = view({
  path: '/api/web/reference-preview/',
  summary: 'Preview the next reference of a pattern',
  description:
    'Returns the reference that the next order would get if the pattern were saved. Stores nothing. Without a pattern it uses the saved one.',
  errors: { invalid: 'The pattern is invalid, or the type of order is unknown.' },
  query: {
    kind: `The type of order: ${MODELS.map((model) => `\`${model}\``).join(', ')}.`,
    pattern: 'The pattern to try, such as `PO-{ref:04d}`; by default the saved one. An empty one means only the number.',
  },
  example: { query: { kind: 'purchaseorder', pattern: 'PO-{date:%Y}-{ref:04d}' } },
  access: staff,
  response: Type.Object({ reference: Type.String({ description: 'The next reference.' }) }),
  async read(request) {
    const { kind: model = '', pattern } = request.query
    const kind = KINDS.find((candidate) => candidate.model === model)
    if (!kind) throw invalidQuery({ kind: [invalidChoice(model)] })
    const errors = pattern?.trim() ? checkPattern(pattern) : []
    if (errors.length > 0) throw invalidQuery({ pattern: errors })
    return { reference: await suggestReference(request, kind, pattern) }
  },
})
