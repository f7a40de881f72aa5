import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createFilesFolder } from '../../testing/files.ts'
import { createImportHelpers } from '../../testing/objects/imports.ts'
import { testService } from '../../testing/service.ts'
import { getImportModel, getImportShape } from './import-models.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member } = service
const imports = createImportHelpers(service)

/** Texts with what is special in files: separators, quotation marks, line breaks, and the signs of formulas. */
const text = (maxLength: number) =>
  fc
    .string({ unit: fc.constantFrom(...'aZ09 äß,;|\t"\'=+-@.%(){}[]|0x中'), minLength: 1, maxLength })
    .map((value) => value.replaceAll(/[\t]/g, ' ').trim())
    .filter((value) => value !== '' && !/^'/.test(value))
const name = text(40)
const optional = (value: fc.Arbitrary<string>) => fc.option(value, { nil: '' })

const unique = (items: readonly Record<string, unknown>[], key: string) => [
  ...new Map(items.map((item) => [String(item[key]).toLowerCase(), item])).values(),
]

let category: number
let company: number

/** Types with a generator of bodies, and the field that is unique. */
const types: Record<string, { key: string; body: () => fc.Arbitrary<Record<string, unknown>> }> = {
  partcategory: {
    key: 'name',
    body: () =>
      fc.record({
        name: name.map((value) => value.replaceAll('/', '')),
        description: optional(text(60)),
        structural: fc.boolean(),
      }),
  },
  part: {
    key: 'name',
    body: () =>
      fc.record({
        name,
        category: fc.constant(category),
        IPN: optional(text(20)),
        description: optional(text(60)),
        active: fc.boolean(),
        assembly: fc.boolean(),
        trackable: fc.boolean(),
        testable: fc.boolean(),
        minimum_stock: fc.constantFrom(0, 1, 2.5, 0.001, 1234.5),
        default_expiry: fc.nat(1000),
        tags: fc.uniqueArray(fc.constantFrom('smd', 'long lead', 'x1'), { maxLength: 3 }),
      }),
  },
  company: {
    key: 'name',
    body: () =>
      fc.record({
        name,
        description: optional(text(60)),
        is_supplier: fc.boolean(),
        is_customer: fc.boolean(),
        currency: fc.constantFrom('EUR', 'USD'),
      }),
  },
  contact: {
    key: 'name',
    body: () => fc.record({ company: fc.constant(company), name, role: optional(text(20)), phone: optional(text(20)) }),
  },
  stocklocation: {
    key: 'name',
    body: () =>
      fc.record({
        name: name.map((value) => value.replaceAll('/', '')),
        description: optional(text(60)),
        external: fc.boolean(),
      }),
  },
}

describe('a list that is exported and imported again', () => {
  for (const [type, { key, body }] of Object.entries(types)) {
    for (const kind of ['csv', 'xlsx'] as const) {
      it(`is unchanged: ${type}, ${kind}`, async () => {
        category ??= (await member.post('/api/part/category/', { name: 'Of the parts' })).body.pk
        company ??= (await member.post('/api/company/', { name: 'Of the contacts', currency: 'EUR' })).body.pk
        const model = getImportModel(type)
        const { path } = model.resource
        const fields = Object.keys(getImportShape(model)).filter((field) => field !== 'existing_image')
        // a file does not tell an empty text from none
        const pick = (object: Record<string, unknown>) =>
          Object.fromEntries(fields.map((field) => [field, object[field] === '' ? null : object[field]]))
        await fc.assert(
          fc.asyncProperty(fc.array(body(), { minLength: 1, maxLength: 5 }), async (bodies) => {
            const pks: number[] = []
            for (const item of unique(bodies, key)) {
              const response = await member.post(path, item)
              if (response.status === 201) pks.push(response.body.pk)
            }
            const read = async (keys: readonly number[]) => {
              const objects: Record<string, unknown>[] = []
              for (const pk of keys) objects.push(pick((await member.get(`${path}${pk}/`)).body))
              return objects
            }
            const before = await read(pks)
            const user = (await member.get('/api/user/token/')).body.token
            const file = await service.app.inject({
              method: 'GET',
              url: `${path}?export=${kind}&ordering=pk`,
              headers: { authorization: `Token ${user}` },
            })
            const name = `export.${kind}`
            // the file with its keys changes nothing
            await imports.load(file.rawPayload, type, { name, update_records: true })
            assert.deepEqual(await read(pks), before)
            // without the objects, it creates them again
            for (const pk of pks) {
              await member.patch(`${path}${pk}/`, { active: false })
              assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
            }
            const { session, rows } = await imports.read(file.rawPayload, type, { name })
            const valid = rows.filter((row) => pks.includes(Number(row.row_data.pk)))
            assert.deepEqual(
              valid.flatMap(({ errors }) => errors ?? []),
              [],
            )
            await imports.acceptRows(
              session,
              valid.map((row) => row.pk),
            )
            const created = (await imports.listRows(session)).filter(({ complete }) => complete)
            assert.deepEqual(await read(created.map(({ object }) => object as number)), before)
            for (const { object } of created) {
              await member.patch(`${path}${object}/`, { active: false })
              await member.delete(`${path}${object}/`)
            }
          }),
          { numRuns: 2, endOnFailure: true },
        )
      })
    }
  }
})
