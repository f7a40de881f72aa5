import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { purchasing } from '../../testing/purchasing.ts'
import { testService } from '../../testing/service.ts'
import { samples } from './sample-codes.ts'

const service = await testService()
const make = purchasing(service)
const { superuser } = service
const codes = Object.values(samples)
const keys = ['part', 'stockitem', 'stocklocation', 'supplierpart', 'build', 'Part', '__proto__']

/** A sample that ends early, has something put into it, or says something twice. */
const damaged = fc
  .tuple(fc.constantFrom(...codes), fc.nat(300), fc.string({ unit: 'binary', maxLength: 20 }), fc.boolean())
  .map(([code, at, put, goesOn]) => `${code.slice(0, at)}${put}${goesOn ? code.slice(at) : ''}`)
const twice = fc.constantFrom(...codes).map((code) => `${code}${code}`)
const json = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue(), { maxKeys: 3 }).map((value) => JSON.stringify(value))
const huge = fc.bigInt({ min: 0n, max: 10n ** 60n }).map((many) => `[)>\u001e06\u001dPX\u001dQ${many}\u001dQ-${many}\u001e\u0004`)
const short = fc
  .tuple(fc.constantFrom('PA', 'SI', 'BO', 'XX'), fc.bigInt({ min: 0n, max: 10n ** 12n }))
  .map(([kind, pk]) => `INV-${kind}${pk}`)
const long = fc
  .constantFrom('x', '🔩', '{', '[)>', '\u001d')
  .chain((text) => fc.constantFrom(4095, 4096).map((length) => text.repeat(length)))
const anyCode = fc.oneof(damaged, twice, json, huge, short, long, fc.string({ unit: 'binary' }), fc.string())

describe('any code', () => {
  it('is answered by a scan as the document says, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyCode, async (barcode) => {
        const { status, body } = await superuser.post('/api/barcode/', { barcode })
        assert.ok(status === 201 || status === 400, `${status}`)
        const isOfDocument =
          status === 201 ? body.barcode === barcode : typeof body.error === 'string' || Array.isArray(body.barcode)
        assert.ok(isOfDocument, JSON.stringify(body))
      }),
      { numRuns: 300 },
    )
  })

  it('is found once it is linked, unless it stands for something already', async () => {
    const part = await make.part()
    await fc.assert(
      fc.asyncProperty(anyCode, async (barcode) => {
        const linked = await superuser.post('/api/barcode/link/', { barcode, part })
        assert.ok(linked.status === 201 || linked.status === 400, `${linked.status}`)
        if (linked.status === 201) assert.equal((await superuser.post('/api/barcode/', { barcode })).body.part?.pk, part)
      }),
      { numRuns: 100 },
    )
  })
})
