import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as spreadsheet from '@e965/xlsx'
import type { Page } from 'playwright-core'
import { createFilesFolder } from '../../../testing/files.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { supplier } = await fillWorkshop(service)
const create = async (path: string, body: object): Promise<number> => {
  const { status, body: created, text } = await service.superuser.post(path, body)
  assert.equal(status, 201, `${path}: ${text}`)
  return created.pk
}

/** Chooses a file on the page that starts an import, and waits for its page. */
async function chooseFile(page: Page, name: string, content: string | Buffer, type?: string): Promise<void> {
  await page.getByRole('heading', { name: /Import a spreadsheet|Tabelle importieren/ }).waitFor()
  if (type) await page.getByLabel(/What it holds|Inhalt/).selectOption({ label: type })
  await page
    .locator('main input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
  await page.waitForURL(/\/import\/\d+\//)
}

const listParts = async (query: string) => (await service.member.get(`/api/part/?${query}`)).body.results
const rowOf = (page: Page, name: string) => page.getByRole('table', { name: 'Rows' }).getByRole('row', { name: new RegExp(name) })

describe('an import of a spreadsheet', { skip: cannotBrowse }, () => {
  it('starts from a list, corrects three errors in their cells, and shows what it created', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('link', { name: 'Import from spreadsheet' }).click()
    await page.getByRole('heading', { name: 'Import a spreadsheet' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'import-start')
    const csv = [
      'Part name;Part number;Category;Minimum stock',
      'Knob, black;K-1;Electronics;10',
      'Knob, red;K-2;Electronic;5',
      ';K-3;Electronics;1',
      'Knob, green;K-4;Electronics;many',
      'Knob, blue;K-5;Electronics;1,5',
    ].join('\n')
    await chooseFile(page, 'knobs.csv', csv)
    await page.getByRole('heading', { name: 'Parts from knobs.csv' }).waitFor()
    await page.getByText('5 rows with 4 columns').waitFor()
    assert.equal(await page.getByLabel('Field of Part number').inputValue(), 'IPN')
    await assertAccessible(page)
    await capturePage(page, 'import-columns')
    await page.getByRole('button', { name: 'Check 5 rows' }).click()
    await page.getByText('2 will be created, 3 have errors.').waitFor()
    await page.getByRole('link', { name: 'Show rows with errors' }).click()
    const grid = page.getByRole('table', { name: 'Rows' })
    await grid.getByText('No object found for “Electronic”.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'import-rows')
    const correct = async (row: string, field: string, value: string, next: string) => {
      await rowOf(page, row)
        .getByRole('button', { name: `Edit: ${field}` })
        .click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(value)
      await page.keyboard.press('Enter')
      await page.getByText(next).waitFor()
    }
    await correct('Knob, red', 'Category', 'Electronics', '3 will be created, 2 have errors.')
    await correct('K-3', 'Name', 'Knob, white', '4 will be created, 1 has an error.')
    await correct('Knob, green', 'Minimum stock', '7.5', '5 will be created.')
    await page.getByRole('button', { name: 'Import 5 rows' }).click()
    await page.getByText('Imported: 5 created.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'import-result')
    await page.getByRole('link', { name: 'Show what was imported' }).click()
    await page.getByText('5 rows').waitFor()
    const created = await listParts('search=Knob&ordering=IPN')
    assert.deepEqual(
      created.map(({ IPN, minimum_stock }: { IPN: string; minimum_stock: number }) => [IPN, minimum_stock]),
      [
        ['K-1', 10],
        ['K-2', 5],
        ['K-3', 1],
        ['K-4', 7.5],
        ['K-5', 1.5],
      ],
    )
  })

  it('updates parts by their IPN, shows what changes, and is undone', async () => {
    const page = await openConsole(service, 'member', '/import/?type=part')
    await chooseFile(page, 'prices.csv', 'IPN,Name,Description\nK-1,"Knob, black",Aluminium\nK-2,"Knob, red",\nK-9,Knob 9,New\n')
    await page.getByText('A row whose IPN exists updates that object.').waitFor()
    // a new part needs a category: rows that find none are skipped
    await page.getByText('These fields need a column, or a value for all rows: Category.').waitFor()
    await page.getByLabel('A row that finds none').selectOption('skip the row')
    await page.getByRole('button', { name: 'Check 3 rows' }).click()
    await page.getByText('1 updated, 1 unchanged, 1 skipped.').waitFor()
    await rowOf(page, 'K-1').getByText('instead of –').waitFor()
    await rowOf(page, 'K-2').getByText('No change').waitFor()
    await page.getByRole('button', { name: 'Import 3 rows' }).click()
    await page.getByText('Imported: 1 updated, 1 unchanged, 1 skipped.').waitFor()
    assert.equal((await listParts('IPN=K-1'))[0].description, 'Aluminium')
    await page.getByRole('button', { name: 'Undo import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo this import?' })
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('Import undone').waitFor()
    await page.getByRole('button', { name: 'Import 3 rows' }).waitFor()
    assert.equal((await listParts('IPN=K-1'))[0].description, '')
  })

  it('rejects an undo while something rests on what was created', async () => {
    const page = await openConsole(service, 'member', '/import/?type=part')
    await chooseFile(page, 'used.csv', 'Name,Category\nUsed later,Electronics\n')
    await page.getByRole('button', { name: 'Check 1 row' }).click()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('Imported: 1 created').waitFor()
    const [part] = await listParts('search=Used later')
    await create('/api/stock/', { part: part.pk, quantity: 1 })
    await page.getByRole('button', { name: 'Undo import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo this import?' })
    await dialog.getByRole('button', { name: 'Undo import' }).click()
    await dialog.getByText('Used by other objects (stock_item), in rows 2.').waitFor()
    assert.equal((await listParts('search=Used later')).length, 1)
  })

  it('reads a pasted table, and creates missing categories', async () => {
    const page = await openConsole(service, 'member', '/import/?type=part')
    await page.getByRole('heading', { name: 'Import a spreadsheet' }).waitFor()
    await page.evaluate(() => {
      const clipboard = new DataTransfer()
      clipboard.setData('text/plain', 'Name\tCategory\nSpring\tMechanics/Springs\nGear\tMechanics/Gears\n')
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true }))
    })
    await page.getByRole('heading', { name: 'Parts from pasted.tsv' }).waitFor()
    await page.getByLabel('Create missing').check()
    await page.getByRole('button', { name: 'Check 2 rows' }).click()
    await page.getByText('2 will be created.').waitFor()
    await page.getByText('3 objects are created as well, because rows name them').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'import-missing')
    assert.equal((await service.member.get('/api/part/category/?search=Mechanics')).body.count, 0)
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('Imported: 2 created').waitFor()
    const [gear] = await listParts('search=Gear&category_detail=true')
    assert.equal(gear.category_detail.pathstring, 'Mechanics/Gears')
  })

  it('takes a value for all rows where the file has no column', async () => {
    const page = await openConsole(service, 'member', '/import/?type=part')
    await chooseFile(page, 'no category.csv', 'Name,Description\nWasher,Steel\n')
    const button = page.getByRole('button', { name: 'Check 1 row' })
    assert.ok(await button.isDisabled())
    await page.getByLabel('Category of all rows').fill('Electronics')
    await page.keyboard.press('Tab')
    await page.getByText('These fields need a column').waitFor({ state: 'detached' })
    await button.click()
    await page.getByText('1 will be created.').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('Imported: 1 created.').waitFor()
    assert.equal((await listParts('search=Washer&category_detail=true'))[0].category_detail.name, 'Electronics')
  })

  it("adds the lines of a supplier's table to a purchase order", async () => {
    const order = await create('/api/order/po/', { reference: 'PO-0400', supplier, description: 'Resistors' })
    const book = spreadsheet.utils.book_new()
    spreadsheet.utils.book_append_sheet(book, spreadsheet.utils.aoa_to_sheet([['Thank you for your order']]), 'Cover')
    spreadsheet.utils.book_append_sheet(
      book,
      spreadsheet.utils.aoa_to_sheet([
        ['Order confirmation 4711', null, null, null],
        [],
        ['Supplier part number', 'Quantity', 'Unit price', 'Remark'],
        ['BW-R10K-REEL', 2, 21.5, 'in stock'],
      ]),
      'Lines',
    )
    const page = await openConsole(service, 'member', `/order/purchase-order/${order}/`)
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('link', { name: 'Import from spreadsheet' }).click()
    await chooseFile(page, 'confirmation.xlsx', spreadsheet.write(book, { type: 'buffer', bookType: 'xlsx' }))
    await page.getByLabel('Sheet').selectOption('Lines')
    await page.getByText('1 row with 4 columns').waitFor()
    await page.getByText('The same for all rows: Order.').waitFor()
    await page.getByRole('button', { name: 'Check 1 row' }).click()
    await page.getByText('1 will be created.').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('Imported: 1 created').waitFor()
    const [line] = (await service.member.get(`/api/order/po-line/?order=${order}`)).body.results
    assert.deepEqual([line.quantity, line.purchase_price], [2, '21.500000'])
  })

  it('reads a file in another way, and keeps what a heading means', async () => {
    const page = await openConsole(service, 'member', '/import/?type=part')
    const csv = 'Thing;Group;Code\nLever;Electronics;L-1\n'
    await chooseFile(page, 'levers.csv', csv)
    await page
      .locator('label', { hasText: /^Separator/ })
      .locator('select')
      .selectOption('Comma')
    await page.getByText('1 row with 1 column').waitFor()
    await page
      .locator('label', { hasText: /^Separator/ })
      .locator('select')
      .selectOption('Semicolon')
    await page.getByText('1 row with 3 columns').waitFor()
    await page.getByLabel('Field of Thing').selectOption('name')
    await page.getByText('These fields need a column').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Check 1 row' }).click()
    await page.getByText('1 will be created.').waitFor()
    await page.goto('/import/?type=part')
    await chooseFile(page, 'more levers.csv', csv)
    await page.getByText('1 row with 3 columns').waitFor()
    assert.equal(await page.getByLabel('Field of Thing').inputValue(), 'name')
  })

  it('is found by the search, and offers nothing to accounts that cannot add anything', async () => {
    const page = await openConsole(service, 'member', '/')
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('excel')
    await page.getByRole('option', { name: /Import a spreadsheet/ }).click()
    await page.getByRole('heading', { name: 'Your imports' }).waitFor()
    await page.getByRole('link', { name: 'knobs.csv' }).waitFor()
    const viewer = await openConsole(service, 'viewer', '/import/')
    await viewer.getByText('You cannot import anything').waitFor()
    await assertAccessible(viewer)
    await viewer.goto('/part/')
    await viewer.getByRole('heading', { name: 'Parts' }).waitFor()
    assert.equal(await viewer.getByRole('link', { name: 'Import from spreadsheet' }).count(), 0)
    await viewer.goto('/import/1/')
    await viewer.locator('main .empty').waitFor()
  })

  it('speaks German, and fits a phone', async () => {
    const page = await openConsole(service, 'member', '/import/?type=part', {
      locale: 'de-DE',
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('heading', { name: 'Tabelle importieren' }).waitFor()
    await chooseFile(page, 'teile.csv', 'Name;Kategorie;Mindestbestand\nFeder;Nirgends;1,5\n')
    await page.getByRole('button', { name: '1 Zeile prüfen' }).click()
    await page.getByText('1 hat einen Fehler.').waitFor()
    await page.getByText('Zu „Nirgends“ ist nichts zu finden.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'import-german')
  })
})
