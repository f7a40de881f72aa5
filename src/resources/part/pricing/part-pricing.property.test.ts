import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testService } from '../../../testing/service.ts'
import { recalculateDuePrices } from './price-runs.ts'
import {
  calculateReferencePrices,
  type ReferenceFigures,
  type ReferencePart,
  type ReferenceSettings,
} from './reference-prices.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { services } = service.app.routes
const [{ pk: supplier }] = await service.rows(
  `insert into company (name, is_supplier, currency) values ('Shop', true, 'USD') returning pk`,
)

const RUN_COUNT = Number(process.env.PRICING_RUNS ?? 25)

const amount = fc.integer({ min: 0, max: 99_999_999 }).map((value) => (value / 10_000).toFixed(4))
const quantity = fc.integer({ min: 1, max: 50_000 }).map((value) => (value / 1_000).toFixed(3))
const arbitraryList = <T>(element: fc.Arbitrary<T>) => fc.array(element, { maxLength: 3 })

/** A part whose references are numbers, to be mapped to parts that it may refer to. */
const loosePart = fc.record({
  template: fc.option(fc.nat(), { freq: 2 }),
  active: fc.boolean(),
  internal: arbitraryList(amount),
  supplier: arbitraryList(fc.record({ price: amount, pack: fc.constantFrom('1', '3', '7', '0.5', '1000') })),
  paid: arbitraryList(amount),
  overrideMin: fc.option(amount, { freq: 6 }),
  lines: arbitraryList(
    fc.record({
      component: fc.nat(),
      quantity,
      inherited: fc.boolean(),
      allowVariants: fc.boolean(),
      substitutes: fc.uniqueArray(fc.nat(), { maxLength: 2 }),
    }),
  ),
})

/** Parts of which none contains itself: components belong to a variant tree that starts earlier than the assembly's own. Keys are indexes in the list. */
const structure = fc.array(loosePart, { minLength: 2, maxLength: 9 }).map((loose): ReferencePart[] => {
  const roots: number[] = []
  return loose.map((part, key) => {
    const template = part.template === null || key === 0 ? null : part.template % key
    const root = template === null ? key : (roots[template] as number)
    roots.push(root)
    const before = roots.flatMap((other, index) => (other < root ? [index] : []))
    const pick = (value: number) => before[value % before.length] as number
    const lines = part.lines.map((line) => {
      const component = pick(line.component)
      const substitutes = [...new Set(line.substitutes.map(pick))].filter((element) => element !== component)
      return { ...line, component, substitutes }
    })
    return { ...part, key, template, lines: before.length > 0 ? lines : [] }
  })
})

const flags = ['internal', 'internalOnly', 'supplier', 'historyFirst', 'stock', 'variants', 'activeOnly'] as const
const settingKeys: Record<(typeof flags)[number], string> = {
  internal: 'PART_INTERNAL_PRICE',
  internalOnly: 'PART_BOM_USE_INTERNAL_PRICE',
  supplier: 'PRICING_USE_SUPPLIER_PRICING',
  historyFirst: 'PRICING_PURCHASE_HISTORY_OVERRIDES_SUPPLIER',
  stock: 'PRICING_USE_STOCK_PRICING',
  variants: 'PRICING_USE_VARIANT_PRICING',
  activeOnly: 'PRICING_ACTIVE_VARIANTS',
}
const configuration: fc.Arbitrary<ReferenceSettings> = fc.record({
  internal: fc.boolean(),
  internalOnly: fc.boolean(),
  supplier: fc.boolean(),
  historyFirst: fc.boolean(),
  stock: fc.boolean(),
  variants: fc.boolean(),
  activeOnly: fc.boolean(),
})

async function configure(settings: ReferenceSettings): Promise<void> {
  for (const flag of flags)
    await service.rows('update setting set value = $2 where key = $1', [settingKeys[flag], settings[flag] ? 'True' : 'False'])
  await services.settings.reload()
}

/** Stores parts, and returns their keys in the database by their reference keys. */
async function storeParts(parts: readonly ReferencePart[]): Promise<number[]> {
  const pks: number[] = []
  for (const part of parts) {
    const [{ pk }] = await service.rows(
      `insert into part (name, variant_of, active, assembly, is_template) values ($1, $2, $3, true, $4) returning pk`,
      [
        `Part ${part.key}`,
        part.template === null ? null : pks[part.template],
        part.active,
        parts.some(({ template }) => template === part.key),
      ],
    )
    pks.push(pk)
    await service.rows(
      `insert into part_pricing (part, currency, override_min, override_min_currency, override_max_currency) values ($1, 'USD', $2, 'USD', 'USD')`,
      [pk, part.overrideMin],
    )
    for (const [index, price] of part.internal.entries())
      await service.rows(`insert into part_internal_price (part, quantity, price, price_currency) values ($1, $2, $3, 'USD')`, [
        pk,
        index + 1,
        price,
      ])
    for (const [index, { price, pack }] of part.supplier.entries())
      await service.rows(
        `with inserted as (
           insert into supplier_part (part, supplier, "SKU", pack_quantity, pack_quantity_native) values ($1, $2, $3, $4::text, $4::text::numeric) returning pk
         ) insert into supplier_price_break (part, quantity, price, price_currency) select pk, 1, $5, 'USD' from inserted`,
        [pk, supplier, `SKU ${index}`, pack, price],
      )
    for (const price of part.paid)
      await service.rows(
        `insert into stock_item (part, quantity, purchase_price, purchase_price_currency) values ($1, 1, $2, 'USD')`,
        [pk, price],
      )
  }
  for (const part of parts)
    for (const line of part.lines) {
      const [{ pk }] = await service.rows(
        'insert into bom_item (part, sub_part, quantity, inherited, allow_variants) values ($1, $2, $3, $4, $5) returning pk',
        [pks[part.key], pks[line.component], line.quantity, line.inherited, line.allowVariants],
      )
      for (const substitute of line.substitutes)
        await service.rows('insert into bom_item_substitute (bom_item, part) values ($1, $2)', [pk, pks[substitute]])
    }
  return pks
}

const columnPrefixes = {
  bom: 'bom_cost',
  purchase: 'purchase_cost',
  internal: 'internal_cost',
  supplier: 'supplier_price',
  variant: 'variant_cost',
  overall: 'overall',
} satisfies Record<keyof ReferenceFigures, string>

async function assertFigures(
  parts: readonly ReferencePart[],
  pks: readonly number[],
  settings: ReferenceSettings,
): Promise<void> {
  const rows = await service.rows('select * from part_pricing where part = any($1::integer[])', [pks])
  const expectedPrices = calculateReferencePrices(parts, settings)
  for (const { key } of parts) {
    const row = rows.find(({ part }) => part === pks[key])
    for (const [kind, name] of Object.entries(columnPrefixes))
      assert.deepEqual(
        [row[`${name}_min`], row[`${name}_max`]],
        expectedPrices.get(key)?.[kind as keyof ReferenceFigures],
        `${name} of part ${key}`,
      )
  }
}

test('property: figures match a plain calculation, also after one price changed', async () => {
  const changes = fc.record({ at: fc.nat(), internal: amount, pack: fc.constantFrom('2', '9') })
  await fc.assert(
    fc.asyncProperty(
      structure,
      configuration,
      configuration,
      changes,
      async (parts, first, second, { at: index, internal, pack }) => {
        await service.rows('delete from part')
        await service.rows('delete from part_price_due')
        await configure(first)
        const pks = await storeParts(parts)
        await service.rows('select ask_for_prices($1)', [pks])
        await recalculateDuePrices(services)
        await assertFigures(parts, pks, first)

        // only queued prices are recalculated: the change must reach everything that depends on it
        const changed = index % parts.length
        await service.rows(
          `insert into part_internal_price (part, quantity, price, price_currency) values ($1, 100, $2, 'USD')`,
          [pks[changed], internal],
        )
        await service.rows('update supplier_part set pack_quantity_native = $2 where part = $1', [pks[changed], pack])
        const next = parts.map((part) =>
          part.key === changed
            ? {
                ...part,
                internal: [...part.internal, internal],
                supplier: part.supplier.map((element) => ({ ...element, pack })),
              }
            : part,
        )
        await recalculateDuePrices(services)
        await assertFigures(next, pks, first)

        await configure(second)
        await recalculateDuePrices(services)
        await assertFigures(next, pks, second)
        assert.deepEqual(await service.rows('select * from part_price_due'), [])
      },
    ),
    { numRuns: RUN_COUNT, endOnFailure: true },
  )
})
