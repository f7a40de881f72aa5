// Over 400 lines: tests the actions on whole BOMs on one set of parts.
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { member } = service

/** Assemblies and components, by name. */
const parts: Record<string, number> = {}
const insert = async (statement: string, values: unknown[] = []) => {
  for (const { name, pk } of await service.rows(`${statement} returning name, pk`, values)) parts[name] = pk
}
let category: number
before(async () => {
  await insert(
    `insert into part (name, assembly, is_template, trackable) values
       ('Chair', true, true, false), ('Stool', true, false, false), ('Bench', true, false, false),
       ('Leg', false, true, false), ('Seat', false, false, false), ('Board', false, false, false), ('Chip', false, false, true)`,
  )
  await insert(
    `insert into part (name, assembly, variant_of) values ('Red chair', true, $1), ('Blue chair', true, $1), ('Oak leg', false, $2)`,
    [parts.Chair, parts.Leg],
  )
  category = (await service.rows(`insert into part_category (name) values ('Furniture') returning pk`))[0].pk
})
beforeEach(() => service.rows('delete from bom_item'))

const add = async (part: string, sub_part: string, more = {}): Promise<number> => {
  const { status, body } = await member.post('/api/bom/', { part: parts[part], sub_part: parts[sub_part], ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return body.pk
}
/** Reads the lines of a part's own BOM: component name, quantity, and number of substitutes. */
const readBomLines = async (part: number) =>
  service.rows(
    `select sub_part.name, line.quantity::float, line.inherited,
       (select count(*)::int from bom_item_substitute substitute where substitute.bom_item = line.pk) as substitutes
     from bom_item line join part sub_part on sub_part.pk = line.sub_part where line.part = $1 order by line.pk`,
    [part],
  )

for (const method of ['PUT', 'PATCH'] as const)
  describe(`${method} /api/bom/{id}/validate/`, () => {
    it('validates a line until it changes', async () => {
      const pk = await add('Chair', 'Leg', { quantity: 4 })
      const isValid = async () => (await member.get(`/api/bom/${pk}/`)).body.validated
      const validate = (body: object) => member.send(method, `/api/bom/${pk}/validate/`, body)
      const { status, body } = await validate({ valid: true })
      assert.deepEqual([status, body], [200, { valid: true }])
      assert.equal(await isValid(), true)
      await member.patch(`/api/bom/${pk}/`, { note: 'Glued', overage: '3', validated: false })
      assert.equal(await isValid(), true)
      assert.equal((await member.get('/api/bom/?validated=true')).body.count, 1)
      for (const change of [{ quantity: 3 }, { reference: 'L' }, { optional: true }, { inherited: true }, { consumable: true }]) {
        await validate({ valid: true })
        assert.equal((await member.patch(`/api/bom/${pk}/`, change)).body.validated, false, JSON.stringify(change))
      }
      await validate({ valid: true })
      assert.deepEqual((await validate({})).body, { valid: false })
      assert.equal(await isValid(), false)
      assert.equal((await member.send(method, '/api/bom/99999/validate/', { valid: true })).status, 404)
    })

    it('rejects a line that has changed since it was read', async () => {
      const url = `/api/bom/${await add('Chair', 'Leg')}/`
      const etag = (await member.get(url)).headers.etag as string
      await member.patch(url, { quantity: 7 })
      const validate = (version: string) => member.send(method, `${url}validate/`, { valid: true }, { 'If-Match': version })
      assert.equal((await validate(etag)).status, 412)
      assert.equal((await member.get(url)).body.validated, false)
      assert.equal((await validate((await member.get(url)).headers.etag as string)).status, 200)
      assert.equal((await member.get(url)).body.validated, true)
    })

    it('requires a role that may change parts', async () => {
      const pk = await add('Chair', 'Leg')
      await assertCallers(
        service,
        (client) => client.send(method, `/api/bom/${pk}/validate/`, { valid: true }),
        ['member', 'superuser'],
        () => service.rows('select checksum from bom_item'),
      )
    })
  })

describe('PUT /api/part/{id}/bom-validate/', () => {
  const getUrl = () => `/api/part/${parts['Red chair']}/bom-validate/`
  const isValid = async () =>
    (await member.get(`/api/part/?bom_valid=true&search=Red`)).body.count === 1 &&
    (await member.get(`/api/part/?bom_valid=false&search=Red`)).body.count === 0

  it('validates a BOM until one of its own or inherited lines changes', async () => {
    const leg = await add('Chair', 'Leg', { inherited: true })
    const seat = await add('Red chair', 'Seat')
    assert.deepEqual([(await member.get(getUrl())).body.checksum, await isValid()], ['', false])
    const { status, body } = await member.send('PUT', getUrl(), { valid: true })
    assert.equal(status, 200)
    assert.ok(body.checksum)
    assert.deepEqual([(await member.get(getUrl())).body.checksum, await isValid()], [body.checksum, true])
    const lines = await service.rows('select pk, checksum = digest as valid from bom_item order by pk')
    assert.deepEqual(lines, [
      { pk: leg, valid: false },
      { pk: seat, valid: true },
    ])
    const [validation] = await service.rows(
      'select bom_checked_by is not null as by_someone, bom_checked_date::text from part where pk = $1',
      [parts['Red chair']],
    )
    assert.deepEqual(validation, { by_someone: true, bom_checked_date: new Date().toISOString().slice(0, 10) })
    await member.patch(`/api/bom/${leg}/`, { quantity: 2 })
    assert.equal(await isValid(), false)
    await member.patch(`/api/bom/${leg}/`, { quantity: 1 })
    assert.equal(await isValid(), true)
    const another = await add('Red chair', 'Board')
    assert.equal(await isValid(), false)
    await member.delete(`/api/bom/${another}/`)
    await member.delete(`/api/bom/${leg}/`)
    assert.equal(await isValid(), false)
    await member.delete(`/api/bom/${seat}/`)
    assert.equal(await isValid(), true, 'a BOM without lines is valid')
  })

  it('describes the checksum as a read-only field in OPTIONS', async () => {
    const fields = (await member.send('OPTIONS', getUrl())).body.actions.PUT
    const { type, read_only, label } = fields.checksum
    assert.deepEqual([type, read_only, label, fields.valid.read_only], ['string', true, 'Checksum', false])
    assert.equal((await service.viewer.send('OPTIONS', getUrl())).body.actions.PUT, undefined)
  })

  it('requires `valid` to be true', async () => {
    for (const body of [{}, { valid: false }, { valid: 'perhaps' }])
      for (const method of ['PUT', 'PATCH'] as const) {
        const response = await member.send(method, getUrl(), body)
        assert.deepEqual([response.status, Object.keys(response.body)], [400, ['valid']])
      }
    assert.equal((await member.send('PUT', '/api/part/99999/bom-validate/', { valid: true })).status, 404)
    assert.equal((await member.get('/api/part/99999/bom-validate/')).status, 404)
  })

  it('rejects a part that has changed since it was read', async () => {
    const part = `/api/part/${parts['Red chair']}/`
    const etag = (await member.get(part)).headers.etag as string
    await member.patch(part, { description: 'Redder' })
    const before = (await member.get(getUrl())).body
    await add('Red chair', 'Seat')
    for (const method of ['PUT', 'PATCH'] as const)
      assert.equal((await member.send(method, getUrl(), { valid: true }, { 'If-Match': etag })).status, 412)
    assert.deepEqual((await member.get(getUrl())).body, before)
    const currentEtag = (await member.get(part)).headers.etag as string
    assert.equal((await member.send('PUT', getUrl(), { valid: true }, { 'If-Match': currentEtag })).status, 200)
  })

  it('computes the same checksum as InvenTree', async () => {
    await service.rows(
      `insert into part (pk, name, is_template) overriding system value
       select number, 'Part ' || number, number = 777 from unnest(array[777, 772, 775, 774, 773, 730, 759, 766]) number`,
    )
    await service.rows(
      `insert into bom_item (part, sub_part, quantity, reference, inherited, allow_variants) values
         (777, 772, 3, 'R', true, true), (777, 775, 4.50, 'P', true, false), (777, 774, 5, '', false, false)`,
    )
    const { body } = await member.send('PUT', '/api/part/777/bom-validate/', { valid: true })
    assert.equal(body.checksum, String.raw`b'\xdas\x87m\x99\xcbU\x03\x0f\x7f\xf8\x89\x0bQ\xfb\xe0'`)
  })

  it('requires a role that may change parts', async () => {
    await add('Red chair', 'Seat')
    await assertCallers(
      service,
      (client) => client.send('PUT', getUrl(), { valid: true }),
      ['member', 'superuser'],
      () => service.rows('select pk, checksum from bom_item'),
    )
  })
})

describe('POST /api/part/{id}/bom-copy/', () => {
  const copy = (to: string, from: string, more = {}) =>
    member.post(`/api/part/${parts[to]}/bom-copy/`, { part: parts[from], ...more })

  it("replaces the part's own lines with those of another part, with their substitutes", async () => {
    const leg = await add('Stool', 'Leg', { quantity: 3, reference: 'L', overage: '1' })
    await add('Stool', 'Seat')
    await add('Bench', 'Board')
    await member.post('/api/bom/substitute/', { bom_item: leg, part: parts.Board })
    const { status, body } = await copy('Bench', 'Stool')
    assert.equal(status, 201)
    assert.deepEqual(body, {
      part: parts.Stool,
      remove_existing: true,
      include_inherited: false,
      skip_invalid: false,
      copy_substitutes: true,
    })
    assert.deepEqual(await readBomLines(parts.Bench as number), [
      { name: 'Leg', quantity: 3, inherited: false, substitutes: 1 },
      { name: 'Seat', quantity: 1, inherited: false, substitutes: 0 },
    ])
    await copy('Bench', 'Stool', { remove_existing: false, copy_substitutes: false })
    assert.deepEqual(
      (await readBomLines(parts.Bench as number)).map(({ name, substitutes }) => [name, substitutes]),
      [
        ['Leg', 1],
        ['Seat', 0],
        ['Leg', 0],
        ['Seat', 0],
      ],
    )
    assert.equal((await readBomLines(parts.Stool as number)).length, 2)
  })

  it('copies inherited lines on request, except those that the part inherits already', async () => {
    await add('Chair', 'Leg', { inherited: true })
    await add('Red chair', 'Seat')
    await copy('Stool', 'Red chair')
    assert.deepEqual(
      (await readBomLines(parts.Stool as number)).map(({ name }) => name),
      ['Seat'],
    )
    await copy('Stool', 'Red chair', { include_inherited: true })
    assert.deepEqual(
      (await readBomLines(parts.Stool as number)).map(({ name }) => name),
      ['Leg', 'Seat'],
    )
    await copy('Blue chair', 'Red chair', { include_inherited: true })
    assert.deepEqual(
      (await readBomLines(parts['Blue chair'] as number)).map(({ name }) => name),
      ['Seat'],
    )
  })

  it('rejects or skips lines that would make a part contain itself', async () => {
    await add('Stool', 'Leg')
    await add('Stool', 'Bench')
    await add('Bench', 'Board')
    const errorResponse = await copy('Bench', 'Stool')
    assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['non_field_errors']])
    assert.deepEqual(
      (await readBomLines(parts.Bench as number)).map(({ name }) => name),
      ['Board'],
    )
    assert.equal((await copy('Bench', 'Stool', { skip_invalid: true })).status, 201)
    assert.deepEqual(
      (await readBomLines(parts.Bench as number)).map(({ name }) => name),
      ['Leg'],
    )
  })

  it('rejects or skips a fraction of a component that has become trackable', async () => {
    await add('Stool', 'Seat', { quantity: 2.5 })
    await add('Stool', 'Leg', { quantity: 1.5 })
    await service.rows(`update part set trackable = true where name = 'Seat'`)
    const errorResponse = await copy('Bench', 'Stool')
    assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['non_field_errors']])
    assert.equal((await copy('Bench', 'Stool', { skip_invalid: true })).status, 201)
    assert.deepEqual(
      (await readBomLines(parts.Bench as number)).map(({ name }) => name),
      ['Leg'],
    )
    await service.rows(`update part set trackable = false where name = 'Seat'`)
  })

  it('skips a substitute that is the part itself', async () => {
    const leg = await add('Stool', 'Leg')
    for (const part of [parts.Bench, parts.Board]) await member.post('/api/bom/substitute/', { bom_item: leg, part })
    assert.equal((await copy('Bench', 'Stool')).status, 201)
    assert.deepEqual(
      (await readBomLines(parts.Bench as number)).map(({ substitutes }) => substitutes),
      [1],
    )
  })

  it('makes the assembly trackable with its components, and validates none of the lines', async () => {
    await add('Stool', 'Chip')
    await member.send('PUT', `/api/part/${parts.Stool}/bom-validate/`, { valid: true })
    await copy('Bench', 'Stool')
    const [row] = await service.rows('select trackable from part where pk = $1', [parts.Bench])
    assert.equal(row.trackable, true)
    assert.equal((await member.get(`/api/bom/?part=${parts.Bench}&validated=true`)).body.count, 0)
    await service.rows(`update part set trackable = false where name in ('Stool', 'Bench')`)
  })

  it('rejects invalid input', async () => {
    for (const [to, body, status, field] of [
      [parts.Stool, {}, 400, 'part'],
      [parts.Stool, { part: 99_999 }, 400, 'part'],
      [parts.Stool, { part: parts.Stool }, 400, 'part'],
      [parts.Leg, { part: parts.Stool }, 400, 'non_field_errors'],
      [99_999, { part: parts.Stool }, 404, 'detail'],
    ] as const) {
      const response = await member.post(`/api/part/${to}/bom-copy/`, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [status, [field]])
    }
  })

  it('requires a role that may change parts', async () => {
    await add('Stool', 'Leg')
    await assertCallers(
      service,
      (client) => client.post(`/api/part/${parts.Bench}/bom-copy/`, { part: parts.Stool }),
      ['member', 'superuser'],
      () => readBomLines(parts.Bench as number),
    )
  })
})

describe('POST /api/part/', () => {
  it('gives a duplicated part the BOM of its original', async () => {
    await add('Stool', 'Leg', { quantity: 3, inherited: true })
    await add('Stool', 'Chip')
    const created = await member.post('/api/part/', {
      name: 'Bar stool',
      category,
      assembly: true,
      duplicate: { part: parts.Stool, copy_bom: true },
    })
    assert.deepEqual([created.status, created.body.trackable], [201, true])
    assert.deepEqual(await readBomLines(created.body.pk), [
      { name: 'Leg', quantity: 3, inherited: true, substitutes: 0 },
      { name: 'Chip', quantity: 1, inherited: false, substitutes: 0 },
    ])
    const bare = await member.post('/api/part/', { name: 'Low stool', category, duplicate: { part: parts.Stool } })
    assert.deepEqual(await readBomLines(bare.body.pk), [])
    await service.rows('update part set trackable = false where pk = $1', [parts.Stool])
  })

  it('skips lines that a variant inherits anyway, or cannot contain', async () => {
    await add('Chair', 'Leg', { inherited: true })
    await add('Chair', 'Seat')
    const created = await member.post('/api/part/', {
      name: 'Green chair',
      category,
      variant_of: parts.Chair,
      duplicate: { part: parts.Chair, copy_bom: true },
    })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    assert.deepEqual(
      (await readBomLines(created.body.pk)).map(({ name }) => name),
      ['Seat'],
    )
  })
})

describe('GET /api/part/?in_bom_for=', () => {
  it('finds the parts that a part can use: components, their allowed variants, and substitutes', async () => {
    const readComponents = async (part: string) =>
      (await member.get(`/api/part/?in_bom_for=${parts[part]}`)).body.results.map(({ name }: { name: string }) => name)
    await add('Chair', 'Leg', { inherited: true })
    const seat = await add('Red chair', 'Seat')
    await member.post('/api/bom/substitute/', { bom_item: seat, part: parts.Board })
    assert.deepEqual(await readComponents('Red chair'), ['Board', 'Leg', 'Seat'])
    await service.rows('update bom_item set allow_variants = true')
    assert.deepEqual(await readComponents('Red chair'), ['Board', 'Leg', 'Oak leg', 'Seat'])
    assert.deepEqual(await readComponents('Chair'), ['Leg', 'Oak leg'])
    assert.deepEqual(await readComponents('Bench'), [])
    await service.rows(`update part set trackable = true where name in ('Oak leg', 'Board')`)
    assert.deepEqual(await readComponents('Red chair'), ['Leg', 'Seat'])
    await service.rows(`update part set trackable = false where name in ('Oak leg', 'Board')`)
  })
})

describe('GET /api/stock/?bom_item=', () => {
  it('finds the stock that a line can use', async () => {
    const pk = await add('Chair', 'Leg', { allow_variants: true })
    await service.rows(
      `insert into stock_item (part, quantity, batch, purchase_price_currency)
       values ($1, 3, 'leg', 'EUR'), ($2, 2, 'oak', 'EUR'), ($3, 7, 'seat', 'EUR')`,
      [parts.Leg, parts['Oak leg'], parts.Seat],
    )
    const readBatches = async () =>
      (await member.get(`/api/stock/?bom_item=${pk}&ordering=batch`)).body.results.map(({ batch }: { batch: string }) => batch)
    assert.deepEqual(await readBatches(), ['leg', 'oak'])
    await member.patch(`/api/bom/${pk}/`, { allow_variants: false })
    assert.deepEqual(await readBatches(), ['leg'])
    assert.equal((await member.get('/api/stock/?bom_item=99999')).status, 400)
  })
})

describe('POST /api/stock/{id}/install/', () => {
  it('installs only stock that the BOM can use, unless the setting is off', async () => {
    const [host, leg, seat] = (
      await service.rows(
        `insert into stock_item (part, quantity, purchase_price_currency) values ($1, 1, 'EUR'), ($2, 1, 'EUR'), ($3, 1, 'EUR') returning pk`,
        [parts['Red chair'], parts.Leg, parts.Seat],
      )
    ).map(({ pk }) => pk) as [number, number, number]
    await add('Chair', 'Leg', { inherited: true })
    const install = (stock_item: number) => member.post(`/api/stock/${host}/install/`, { stock_item })
    // the list of installable stock must agree with the action
    const isListed = async (item: number) =>
      (await member.get(`/api/stock/?installable_in=${host}&limit=100`)).body.results.some(
        ({ pk }: { pk: number }) => pk === item,
      )
    const errorResponse = await install(seat)
    assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['stock_item']])
    assert.deepEqual([await isListed(leg), await isListed(seat), await isListed(host)], [true, false, false])
    assert.equal((await install(leg)).status, 201)
    assert.equal(await isListed(leg), false)
    await service.superuser.patch('/api/settings/global/STOCK_ENFORCE_BOM_INSTALLATION/', { value: false })
    assert.deepEqual([await isListed(seat), await isListed(host)], [true, false])
    assert.equal((await install(seat)).status, 201)
    assert.equal((await member.get('/api/stock/?installable_in=99999')).status, 400)
    await service.superuser.patch('/api/settings/global/STOCK_ENFORCE_BOM_INSTALLATION/', { value: true })
  })
})
