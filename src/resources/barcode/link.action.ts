import { signedIn } from '../../kit/request/caller.ts'
import { translate } from '../../kit/request/constraint.ts'
import { texts } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { Found } from '../../plugin-api/index.ts'
import { address, answer, refusal, shown } from './answer.ts'
import { answerSchema, namedSchema } from './answer-schema.ts'
import { barcodeHash, barcodeKey } from './barcode-hash.ts'
import { barcodeInput } from './barcode-input.ts'
import { kindKeys, kinds } from './kinds.ts'
import { findLinked } from './linked.ts'
import { barcodeOperation } from './operation.ts'
import { findOwnCode, ownPlugin, requireOwnCodes } from './scan.ts'
import type { Scanning } from './scan-result.ts'
import { requireChange, targetFields, targetOf } from './target.ts'

/** See decisions 20 and 50, and the reference description of barcodes, A5. */
export const linkBarcode = barcodeOperation({
  name: 'link',
  path: '/api/barcode/link/',
  summary: 'Link a barcode to an object',
  description:
    'Links a code to one object, which is found by it from then on. A code of this service, and one that is linked already, are refused. An object that has a code gets the new one in its place. Where the body names several objects, the first counts, in the order of its fields. The caller needs the right `change` in the role of the object.',
  refuses: {
    invalid: 'The code stands for an object already (`error`, and the object if the caller may view it), or no object is named.',
  },
  example: { body: { barcode: 'SHELF-0005', stocklocation: 5 } },
  access: signedIn,
  body: { barcode: barcodeInput, ...targetFields },
  answer: answerSchema(namedSchema),
  async work(request) {
    const { barcode } = request.body
    requireOwnCodes(request)
    const taken = await findOwnCode(request, barcode, kinds)
    if (taken) throw isTaken(request, barcode, taken)
    const target = targetOf(request.body)
    if (!target) throw refusal(request, `Missing data: provide one of '${kindKeys.join(', ')}'`)
    requireChange(request, target)
    const { kind, pk } = target
    const hash = barcodeHash(barcode)
    return request.carryOut(async (tx) => {
      // whoever links the same code waits here, and finds it linked
      await tx.query(
        `select pg_advisory_xact_lock(hashtextextended('barcode ' || code, 0)) from unnest($1::text[]) code order by code`,
        [[...new Set([hash, barcodeKey(barcode)])]],
      )
      const meanwhile = await findLinked((text, values) => tx.query(text, values), barcode, kinds)
      if (meanwhile) throw isTaken(request, barcode, meanwhile)
      try {
        const text = `update ${kind.table} set barcode_data = $2, barcode_hash = $3 where pk = $1 returning pk`
        const linked = await tx.query(text, [pk, barcode, hash])
        if (linked.length === 0) throw invalid({ [kind.key]: [texts.reference(pk)] })
      } catch (error) {
        throw translate(error, { [kind.codeIndex]: { error: TAKEN } })
      }
      const found = { kind: kind.key, pk }
      const reply = answer(request, {
        success: `Assigned barcode to ${kind.label}`,
        ...(await shown(request, found, tx)),
        barcode_data: barcode,
        barcode_hash: hash,
      })
      return { reply, objects: [found] }
    })
  },
})

const TAKEN = 'Barcode matches existing item'

/** A code that stands for something else. What the caller may not view is not named. */
function isTaken(request: Scanning, barcode_data: string, found: Found) {
  const { key, resource } = kinds.find((kind) => kind.key === found.kind) as (typeof kinds)[number]
  const named = resource.access(request.caller, 'view') ? { [key]: address(found) } : {}
  return refusal(request, TAKEN, { ...named, plugin: ownPlugin(request)?.name ?? null, barcode_data })
}
