import assert from 'node:assert/strict'
import type { TestService } from '../service.ts'

/** Base data for purchasing, inserted directly, so that tests of orders depend on nothing but orders. */
export function createPurchaseHelpers(service: TestService) {
  let number = 0
  const insertRow = async (text: string, values: unknown[]): Promise<number> => (await service.rows(text, values))[0].pk
  const nextName = (kind: string) => `${kind} ${++number}`

  const supplier = (options: { currency?: string; is_supplier?: boolean } = {}) =>
    insertRow('insert into company (name, currency, is_supplier) values ($1, $2, $3) returning pk', [
      nextName('Supplier'),
      options.currency ?? 'USD',
      options.is_supplier ?? true,
    ])

  const location = (options: { structural?: boolean } = {}) =>
    insertRow('insert into stock_location (name, structural) values ($1, $2) returning pk', [
      nextName('Location'),
      options.structural ?? false,
    ])

  const part = (options: { trackable?: boolean; default_location?: number } = {}) =>
    insertRow('insert into part (name, description, trackable, default_location) values ($1, $2, $3, $4) returning pk', [
      nextName('Part'),
      'of tests',
      options.trackable ?? false,
      options.default_location ?? null,
    ])

  /** Creates a supplier part, for a new part unless one is given. `pack` is the number of base units in one pack. */
  const supplierPart = async (supplierKey: number, options: { part?: number; pack?: string; trackable?: boolean } = {}) =>
    insertRow(
      'insert into supplier_part (part, supplier, "SKU", pack_quantity, pack_quantity_native) values ($1, $2, $3, $4::text, $4::text::numeric) returning pk',
      [options.part ?? (await part(options)), supplierKey, nextName('SKU'), options.pack ?? '1'],
    )

  /** Adds price breaks: prices by their minimum number of packs. */
  const priceBreaks = async (supplierPartKey: number, breaks: Record<string, string>, currency = 'USD') => {
    for (const [quantity, price] of Object.entries(breaks))
      await service.rows('insert into supplier_price_break (part, quantity, price, price_currency) values ($1, $2, $3, $4)', [
        supplierPartKey,
        quantity,
        price,
        currency,
      ])
  }

  const setting = async (key: string, value: string) => {
    await service.rows(
      'insert into setting (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
      [key, value],
    )
    await service.app.routes.services.settings.reload()
  }

  const rate = (currency: string, value: string) =>
    service.rows(
      `insert into currency_rate (base, currency, rate) values ('USD', $1, $2)
       on conflict (base, currency) do update set rate = excluded.rate`,
      [currency, value],
    )

  /**
   * Creates a placed order as the member, with a line for a new supplier part.
   * @returns the order, its line and the SKU, and a function that creates the label of a new delivery of some packs
   */
  const labelledOrder = async (options: { quantity?: number; pack?: string } = {}) => {
    const { member } = service
    const company = await supplier()
    const orderedPart = await supplierPart(company, { pack: options.pack })
    const [sku, reference] = [`ART-${++number}`, `PO-${++number}`]
    await service.rows('update supplier_part set "SKU" = $2 where pk = $1', [orderedPart, sku])
    const order = (await member.post('/api/order/po/', { reference, supplier: company })).body.pk as number
    const line = (await member.post('/api/order/po-line/', { order, part: orderedPart, quantity: options.quantity ?? 10 })).body
      .pk as number
    const { status, text } = await member.post(`/api/order/po/${order}/issue/`)
    assert.equal(status, 201, text)
    const label = (packs: number) => `{pbn:${++number},on:${reference},pc:${sku},qty:${packs}}`
    return { order, line, sku, label }
  }

  return { supplier, location, part, supplierPart, priceBreaks, setting, rate, labelledOrder }
}
