import { procedure } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { answer, refusal } from './answer.ts'
import { answerSchema, namedSchema } from './answer-schema.ts'
import { kindKeys } from './kinds.ts'
import { requireOwnCodes } from './scan.ts'
import { requireChange, targetFields, targetOf } from './target.ts'

/** See decision 50, and the reference description of barcodes, A6. */
export const unlinkBarcode = procedure({
  method: 'POST',
  path: '/api/barcode/unlink/',
  summary: 'Take the linked barcode from an object',
  description:
    'Takes from an object the code that is linked to it; one without any stays as it is. The body names one object. The caller needs the right `change` in the role of the object.',
  refuses: { invalid: 'No object is named, or more than one (`error`).' },
  example: { body: { stocklocation: 5 } },
  access: signedIn,
  body: targetFields,
  answer: answerSchema(namedSchema),
  async handle(request) {
    requireOwnCodes(request)
    const named = kindKeys.filter((key) => Object.hasOwn(request.body, key))
    if (named.length === 0) throw refusal(request, `Missing data: Provide one of '${kindKeys.join(', ')}'`)
    if (named.length > 1) throw refusal(request, `Multiple conflicting fields: '${kindKeys.join(', ')}'`)
    const target = targetOf(request.body)
    if (!target) throw refusal(request, 'Could not unassign barcode')
    requireChange(request, target)
    const { kind, pk } = target
    await request.database.transaction(
      (tx) =>
        tx.query(
          `update ${kind.table} set barcode_data = '', barcode_hash = '', barcode_key = '' where pk = $1 and barcode_hash <> ''`,
          [pk],
        ),
      request.caller.pk,
    )
    return answer(request, { success: `Barcode unassigned from ${kind.label}` })
  },
})
