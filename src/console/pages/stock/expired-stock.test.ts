import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { workshop } from '../../testing/deliveries.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const { place, part, setting } = workshop(service)
await setting('STOCK_ENABLE_EXPIRY', true)
const shelf = await place('Shelf 3')

const make = async (path: string, body: object): Promise<number> => {
  const { status, body: created, text } = await service.superuser.post(path, body)
  assert.equal(status, 201, `${path}: ${text}`)
  return (Array.isArray(created) ? created[0] : created).pk
}
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const stock = (of: number, batch: string, quantity: number, days: number | null, more: object = {}) =>
  make('/api/stock/', {
    part: of,
    location: shelf,
    batch,
    quantity,
    expiry_date: days === null ? null : dayFromNow(days),
    ...more,
  })

/** A part with stock that expired, expires soon and late, never expires, and is damaged; with its items by batch. */
async function glue(name: string) {
  const pk = await part(name)
  assert.equal((await service.superuser.patch(`/api/part/${pk}/`, { salable: true, component: true })).status, 200)
  await stock(pk, 'never', 5, null)
  const old = await stock(pk, 'old', 5, -3)
  await stock(pk, 'late', 5, 60)
  await stock(pk, 'damaged', 5, 10, { status: 55 })
  await stock(pk, 'soon', 5, 5)
  return { pk, old }
}
const customer = await make('/api/company/', { name: 'Songbird Audio', is_customer: true, is_supplier: false })

/** Creates a sales order for a quantity of a part. */
async function sell(of: number, quantity: number, reference: string): Promise<number> {
  const order = await make('/api/order/so/', { customer, reference })
  await make('/api/order/so-line/', { order, part: of, quantity })
  return order
}

/** Names and proposed quantities of the offered items, in order. */
const readOffers = async (dialog: Locator): Promise<string[][]> =>
  dialog.locator('.allocation-table tbody tr:has(input)').evaluateAll((rows) =>
    rows.map((row) => {
      const name = /never|old|late|damaged|soon/.exec((row as HTMLElement).innerText)?.[0] ?? ''
      return [name, row.querySelector('input')?.value ?? '']
    }),
  )

describe('expired stock', { skip: cannotBrowse }, () => {
  it('is not proposed for a sales order, and rejected at its item', async () => {
    const { pk, old } = await glue('Contact cleaner')
    const order = await sell(pk, 12, 'SO-0901')
    const page = await openConsole(service, 'member', `/order/sales-order/${order}/`)
    await page.getByRole('button', { name: 'Allocate' }).waitFor()
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: 'Allocate stock' })
    await dialog.getByText('12 required').waitFor()
    assert.deepEqual(await readOffers(dialog), [
      ['soon', '5'],
      ['late', '5'],
      ['never', '2'],
      ['damaged', ''],
      ['old', ''],
    ])
    const row = dialog.getByRole('row').filter({ hasText: 'old' })
    await row.getByText('Expired').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'sales-expired')
    await row.getByRole('textbox').fill('1')
    await dialog.getByRole('row').filter({ hasText: 'never' }).getByRole('textbox').fill('1')
    await page.keyboard.press('Enter')
    await row.getByText('The stock item is expired').waitFor()
    assert.equal((await service.member.get(`/api/order/so-allocation/?order=${order}`)).body.count, 0)
    await row.getByRole('textbox').fill('')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const { results } = (await service.member.get(`/api/order/so-allocation/?order=${order}`)).body
    assert.deepEqual([results.length, results.some(({ item }: { item: number }) => item === old)], [3, false])
  })

  it('is not proposed for a build order', async () => {
    const { pk } = await glue('Thread lock')
    const kit = await part('Repair kit')
    assert.equal((await service.superuser.patch(`/api/part/${kit}/`, { assembly: true })).status, 200)
    await make('/api/bom/', { part: kit, sub_part: pk, quantity: 8 })
    const build = await make('/api/build/', { part: kit, quantity: 1, reference: 'BO-0901' })
    const [line] = (await service.member.get(`/api/build/line/?build=${build}`)).body.results
    const page = await openConsole(service, 'member', `/build/${build}/?line=${line.pk}`)
    const dialog = page.getByRole('dialog', { name: 'Thread lock' })
    await dialog.getByRole('button', { name: 'Allocate 8' }).waitFor()
    assert.deepEqual(await readOffers(dialog), [
      ['soon', '5'],
      ['late', '3'],
      ['never', ''],
      ['damaged', ''],
      ['old', ''],
    ])
    await dialog.getByRole('row').filter({ hasText: 'old' }).getByText('Expired').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  })

  it('is rejected by a scan, unless the setting allows selling it', async () => {
    const { pk, old } = await glue('Solder paste')
    const order = await sell(pk, 12, 'SO-0902')
    await make('/api/order/so/shipment/', { order, reference: '1' })
    const page = await openConsole(service, 'member', `/scan/pick/?order=${order}`)
    const newest = page.locator('.scan-newest')
    await page.getByText('0 of 12').waitFor()
    await scanCode(page, `{"stockitem": ${old}}`)
    await newest.getByText('The stock item is expired').waitFor()
    assert.equal((await service.member.get(`/api/order/so-allocation/?order=${order}`)).body.count, 0)
    await setting('STOCK_ALLOW_EXPIRED_SALE', true)
    await scanCode(page, `{"stockitem": ${old}}`)
    await newest.getByText('Allocated 5 × Solder paste').waitFor()

    // what expires first is then proposed first, also when it is expired
    const other = await glue('Flux')
    const page2 = await openConsole(service, 'member', `/order/sales-order/${await sell(other.pk, 7, 'SO-0903')}/`)
    await page2.getByRole('button', { name: 'Allocate' }).waitFor()
    await page2.keyboard.press('b')
    const dialog = page2.getByRole('dialog', { name: 'Allocate stock' })
    await dialog.getByText('7 required').waitFor()
    assert.deepEqual(await readOffers(dialog), [
      ['old', '5'],
      ['soon', '2'],
      ['late', ''],
      ['never', ''],
      ['damaged', ''],
    ])
  })
})
