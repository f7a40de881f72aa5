import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder } from '../../../testing/files.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { pressEnterImmediately } from '../../testing/keys.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
for (const [name, more] of [
  ['Brightwell Components', { is_supplier: true, description: 'Electronic parts by the reel', currency: 'GBP' }],
  ['Alpine Fasteners', { is_supplier: true, is_manufacturer: true, email: 'sales@alpine.example' }],
  ['Songbird Audio', { is_customer: true, is_supplier: false }],
] as const)
  assert.equal((await service.member.post('/api/company/', { name, ...more })).status, 201)

describe('companies', { skip: cannotBrowse }, () => {
  it('are listed in a table with its filters, order and columns in the URL', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.waitForURL('**/company/')
    // after the checkboxes of those who can change them
    const names = () => page.locator('tbody td:nth-child(2)').allTextContents()
    await page.getByRole('link', { name: 'Songbird Audio' }).waitFor()
    assert.deepEqual(await names(), ['Alpine Fasteners', 'Brightwell Components', 'Songbird Audio'])
    await assertAccessible(page)
    await capturePage(page, 'companies')

    await page.getByRole('button', { name: 'Name' }).click()
    await page.getByRole('button', { name: 'Name' }).click()
    await page.waitForURL('**/company/?ordering=-name')
    await page.locator('tbody tr:first-child', { hasText: 'Songbird' }).waitFor()
    await page.getByLabel('Supplier').selectOption('Yes')
    await page.getByText('2 rows').waitFor()
    assert.deepEqual(await names(), ['Brightwell Components', 'Alpine Fasteners'])

    // the same URL shows the same rows to another user
    const other = await openConsole(service, 'viewer', page.url())
    await other.getByText('2 rows').waitFor()
    assert.deepEqual(await other.locator('tbody td:first-child').allTextContents(), await names())
    assert.equal(await other.getByRole('button', { name: 'New company' }).count(), 0)

    await page.goBack()
    await page.getByText('3 rows').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('alp')
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Alpine Fasteners' }).waitFor()
    await page.goBack()
    await page.getByText('1 row', { exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('search'), 'alp')
  })

  it('have notes and files, and can be deleted unless they hold our stock', async () => {
    const { body: created } = await service.member.post('/api/company/', { name: 'Shortlived Ltd', is_customer: true })
    const page = await openConsole(service, 'superuser', `/company/${created.pk}/`, { locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Dateien' }).waitFor()
    await page.getByRole('button', { name: 'Mehr', exact: true }).click()
    await page.getByRole('button', { name: 'Notizen bearbeiten' }).click()
    await page.getByLabel('Notizen').fill('Ruft freitags zurück')
    await page.keyboard.press('Control+Enter')
    await page.locator('p.notes', { hasText: 'Ruft freitags zurück' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'company-notes')

    const { body: category } = await service.superuser.post('/api/part/category/', { name: 'Lent out' })
    const { body: part } = await service.superuser.post('/api/part/', { name: 'Meter', category: category.pk, salable: true })
    const { status, body: item, text } = await service.superuser.post('/api/stock/', { part: part.pk, quantity: 1 })
    assert.equal(status, 201, text)
    await service.rows('update stock_item set customer = $1 where pk = $2', [created.pk, item.pk])
    await page.keyboard.press('Shift+D')
    const dialog = page.getByRole('dialog', { name: 'Shortlived Ltd löschen?' })
    await dialog.getByText('werden auch gelöscht').waitFor()
    await dialog.getByRole('button', { name: 'Löschen' }).click()
    await dialog.getByText(`Die Firma hat Lagerposten von uns (${item.pk}).`).waitFor()
    await service.rows('update stock_item set customer = null where pk = $1', [item.pk])
    await dialog.getByRole('button', { name: 'Löschen' }).click()
    await page.waitForURL('**/company/')
    assert.equal((await service.member.get(`/api/company/${created.pk}/`)).status, 404)

    const viewerPage = await openConsole(service, 'viewer', '/company/1/')
    await viewerPage.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await viewerPage.getByRole('button', { name: 'More', exact: true }).count(), 0)
  })

  it('are deactivated rather than deleted if they have orders, which would lose their company', async () => {
    const { body: created } = await service.member.post('/api/company/', { name: 'Closing Ltd', is_supplier: true })
    const { status, text } = await service.member.post('/api/order/po/', { reference: 'PO-0991', supplier: created.pk })
    assert.equal(status, 201, text)
    const page = await openConsole(service, 'superuser', `/company/${created.pk}/`)
    await page.getByRole('link', { name: /^Purchase orders: 1/ }).waitFor()
    await page.keyboard.press('Shift+D')
    const dialog = page.getByRole('dialog', { name: 'Make Closing Ltd inactive first?' })
    await dialog.getByText('1 order will no longer show this company').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'company-retire')
    await page.keyboard.press('Enter')
    await page.getByText('Inactive', { exact: true }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await service.member.get(`/api/company/${created.pk}/`)).body.active, false)
    // a second attempt shows one more warning
    await page.keyboard.press('Shift+D')
    const deletion = page.getByRole('dialog', { name: 'Delete Closing Ltd?' })
    await deletion.getByText('1 order will no longer show').waitFor()
    await deletion.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/company/')
    assert.equal((await service.member.get(`/api/company/${created.pk}/`)).status, 404)
  })

  it('link to their orders, and are preset in a new order', async () => {
    const { results } = (await service.member.get('/api/company/?name=Brightwell Components')).body
    const page = await openConsole(service, 'member', `/company/${results[0].pk}/`)
    const details = page.locator('.detail-list')
    await details.getByRole('link', { name: /^Purchase orders: / }).waitFor()
    assert.equal(await details.getByRole('link', { name: /^Sales orders/ }).count(), 0)
    await assertAccessible(page)
    await details.getByRole('link', { name: /^Purchase orders: / }).click()
    await page.getByRole('button', { name: 'New purchase order' }).first().waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Supplier', { exact: true }).waitFor()
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Brightwell Components')
    // the focus moves to an error further down
    await dialog.getByText('More').click()
    await dialog.getByLabel('Link').fill('brightwell.example/order')
    await dialog.getByLabel('Supplier', { exact: true }).focus()
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('starts with https://').waitFor()
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).name === 'link')
  })

  it('can be created and edited with the keyboard, with errors at their fields', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByText('3 rows').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByText('Create').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'new-company')
    // the opened content scrolls into view
    await page.getByText('More', { exact: true }).click()
    await page.waitForFunction(() => {
      const [last] = [...document.querySelectorAll('dialog details .field')].slice(-1)
      return last && last.getBoundingClientRect().bottom <= window.innerHeight
    })
    await page.getByText('More', { exact: true }).click()
    await page.getByLabel('Description').focus()
    await page.keyboard.press('Enter')
    // the focus moves to the error
    await page.getByLabel('Name').and(page.locator('[aria-invalid]:focus')).waitFor()
    await page.keyboard.type('Isar Sensors')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Isar Sensors' }).waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('Description').fill('Light and touch')
    await assertAccessible(page)
    await capturePage(page, 'company-edit')
    await page.keyboard.press('Enter')
    await page.getByText('Saved').waitFor()
    await page.getByText('Light and touch').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'company')
    const { body } = await service.member.get('/api/company/?name=Isar Sensors')
    assert.equal(body.results[0].description, 'Light and touch')
  })

  it('can be edited in the table as in a spreadsheet, without losing changes by other users', async () => {
    const page = await openConsole(service, 'member', '/company/?search=bright')
    await page.getByRole('button', { name: 'Edit: Description' }).click()
    await page.keyboard.type('By the reel and by the strip')
    await page.keyboard.press('Enter')
    await page.getByText('By the reel and by the strip').waitFor()
    const { body } = await service.member.get('/api/company/?name=Brightwell Components')
    assert.equal(body.results[0].description, 'By the reel and by the strip')

    // changed after the list was loaded, before the edit began
    await service.superuser.patch(`/api/company/${body.results[0].pk}/`, { description: 'Theirs' })
    await page.keyboard.press('Enter')
    await page.keyboard.type('Assigned to me')
    await page.keyboard.press('Tab')
    const dialog = page.getByRole('dialog', { name: 'Edit conflict' })
    await dialog.waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Use the other version' }).click()
    await page.getByRole('gridcell', { name: 'Theirs' }).waitFor()
  })

  it('are not overwritten on an edit conflict: the user selects one of both versions', async () => {
    const { body: company } = await service.member.post('/api/company/', { name: 'Quill & Nib', phone: '1' })
    const page = await openConsole(service, 'member', `/company/${company.pk}/`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Phone').fill('2')
    await service.superuser.patch(`/api/company/${company.pk}/`, { phone: '3' })
    const isEnterIgnored = pressEnterImmediately(page, 'Keep my version')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal(await isEnterIgnored, true)
    const dialog = page.getByRole('dialog', { name: 'Edit conflict' })
    await dialog.waitFor()
    assert.deepEqual(await dialog.locator('tbody td').allTextContents(), ['2', '3'])
    await assertAccessible(page)
    await capturePage(page, 'conflict')
    await dialog.getByRole('button', { name: 'Keep my version' }).click()
    await page.getByText('Saved').waitFor()
    assert.equal((await service.member.get(`/api/company/${company.pk}/`)).body.phone, '2')
  })

  it('have contacts and addresses that can be created, edited in place and deleted', async () => {
    const { body: company } = await service.member.post('/api/company/', { name: 'Halden Sensors', is_supplier: true })
    const page = await openConsole(service, 'member', `/company/${company.pk}/`)
    await page.getByRole('button', { name: 'New contact' }).waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New contact' })
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await assertAccessible(page)
    await page.keyboard.type('Ingrid Moen')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Samples')
    await page.keyboard.press('Enter')
    const contacts = page.getByRole('grid', { name: 'Contacts' })
    await contacts.getByText('Ingrid Moen').waitFor()
    // edits the role in place
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Returns and repairs')
    await page.keyboard.press('Enter')
    await contacts.locator('[data-at="0-1"]:not(.editing)').getByText('Returns and repairs').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New address' }).click()
    const address = page.getByRole('dialog', { name: 'New address' })
    await address.getByLabel('Title').fill('Returns')
    await address.getByLabel('Address line 1').fill('Unit 6, Lock Lane, behind the old lime kilns')
    await address.getByLabel('City').fill('Brightwell')
    await page.keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Addresses' }).locator('[data-at="0-5"]').getByText('Brightwell').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'company-people')
    const people = (await service.member.get(`/api/company/contact/?company=${company.pk}`)).body.results
    assert.deepEqual(
      people.map(({ name, role }: { name: string; role: string }) => [name, role]),
      [['Ingrid Moen', 'Returns and repairs']],
    )
    await page.getByRole('button', { name: 'Delete Ingrid Moen' }).click()
    await page.getByRole('dialog', { name: 'Delete Ingrid Moen?' }).getByRole('button', { name: 'Delete', exact: true }).click()
    await contacts.waitFor({ state: 'detached' })
    assert.equal((await service.member.get(`/api/company/contact/?company=${company.pk}&limit=1`)).body.count, 0)
  })

  it('show their supplier and manufacturer parts, which can be created and deleted', async () => {
    const { body: company } = await service.member.post('/api/company/', {
      name: 'Cascadia Circuits',
      is_supplier: true,
      is_manufacturer: true,
      currency: 'EUR',
    })
    const { body: category } = await service.member.post('/api/part/category/', { name: 'Connectors' })
    const { body: part } = await service.member.post('/api/part/', {
      name: 'USB-C socket, 16 pins, with a name that goes on for longer than most',
      category: category.pk,
      purchaseable: true,
    })
    const page = await openConsole(service, 'member', `/company/${company.pk}/`)
    await page.getByRole('heading', { name: 'Manufactured parts' }).waitFor()
    await page.keyboard.press('m')
    const manufacturerPartDialog = page.getByRole('dialog', { name: 'New manufacturer part' })
    await manufacturerPartDialog.locator('input:focus').waitFor()
    await page.keyboard.type('usb')
    await page.getByRole('option', { name: /USB-C socket/ }).waitFor()
    await page.keyboard.press('Enter')
    await manufacturerPartDialog.getByLabel('MPN').fill('YU16-C')
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(/manufacturer-part\/\d+\/$/)
    await page.getByRole('heading', { name: 'YU16-C' }).waitFor()
    // its parameters
    await page.keyboard.press('n')
    const parameter = page.getByRole('dialog', { name: 'Add parameter' })
    await parameter.getByLabel('Name').fill('Voltage')
    await parameter.getByLabel('Value').fill('75')
    await parameter.getByLabel('Unit').fill('V')
    await page.keyboard.press('Enter')
    const parameters = page.getByRole('grid', { name: 'Parameters' })
    await parameters.getByText('Voltage').waitFor()
    await parameters.locator('[data-at="0-1"]').click()
    await page.keyboard.type('80')
    await page.keyboard.press('Enter')
    await parameters.locator('td:not(.editing)').getByText('80', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await page.getByLabel('Description').fill('Gold contacts')
    await page.keyboard.press('Enter')
    await page.getByText('Gold contacts').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'manufacturer-part')

    await page.goto(`/company/${company.pk}/`)
    await page.getByRole('link', { name: 'YU16-C' }).waitFor()
    await page.keyboard.press('s')
    const supplierPartDialog = page.getByRole('dialog', { name: 'New supplier part' })
    await supplierPartDialog.locator('input:focus').waitFor()
    await page.keyboard.type('usb')
    await page.getByRole('option', { name: /USB-C socket/ }).waitFor()
    await page.keyboard.press('Enter')
    await supplierPartDialog.getByLabel('SKU').fill('CC-USBC-16')
    await supplierPartDialog.getByLabel('Pack quantity', { exact: true }).fill('100')
    await capturePage(page, 'new-supplier-part')
    await page.keyboard.press('Enter')
    await page.waitForURL(/supplier-part\/\d+\/$/)
    await page.getByRole('heading', { name: 'CC-USBC-16' }).waitFor()
    // its prices
    await page.keyboard.press('n')
    const price = page.getByRole('dialog', { name: 'New price' })
    await price.getByLabel('Price').fill('6.95')
    await page.keyboard.press('Enter')
    const prices = page.getByRole('grid', { name: 'Prices' })
    await prices.getByText('EUR 6.95').waitFor()
    await prices.locator('[data-at="0-1"]').click()
    await page.keyboard.type('6.75')
    await page.keyboard.press('Enter')
    await prices.getByText('EUR 6.75').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'supplier-part-prices')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'drawing.txt', mimeType: 'text/plain', buffer: Buffer.from('M3') })
    await page.getByRole('link', { name: 'drawing.txt' }).waitFor()
    const pk = Number(/(\d+)\/$/.exec(page.url())?.[1])
    const { body: breaks } = await service.member.get(`/api/company/price-break/?part=${pk}`)
    assert.deepEqual(
      breaks.results.map(({ quantity, price: expectedPrice }: { quantity: number; price: string }) => [quantity, expectedPrice]),
      [[1, '6.750000']],
    )
    await page.goto(`/company/${company.pk}/`)
    await page.getByRole('link', { name: 'CC-USBC-16' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'company-parts')
    await page.getByRole('link', { name: 'CC-USBC-16' }).click()
    await page.getByRole('heading', { name: 'CC-USBC-16' }).waitFor()
    await page.locator('main').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog', { name: 'Delete CC-USBC-16?' }).getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(`**/part/${part.pk}/`)
    assert.equal((await service.member.get(`/api/company/part/${pk}/`)).status, 404)
    // opened from the page of the part
    await page.getByRole('heading', { name: 'Suppliers' }).waitFor()
    await page.goto(`/part/${part.pk}/?do=supplier`)
    await page.getByRole('dialog', { name: 'New supplier part' }).locator('input:focus').waitFor()
    await assertAccessible(page)
  })

  it('are read-only without the permission to change them', async () => {
    const { body } = await service.member.get('/api/company/?name=Cascadia Circuits')
    const page = await openConsole(service, 'viewer', `/company/${body.results[0].pk}/`)
    await page.getByRole('link', { name: 'YU16-C' }).waitFor()
    const main = page.locator('main')
    for (const name of ['Edit', 'New contact', 'New address', 'New supplier part', 'New manufacturer part'])
      assert.equal(await main.getByRole('button', { name }).count(), 0, name)
    await page.getByRole('link', { name: 'YU16-C' }).click()
    await page.getByRole('grid', { name: 'Parameters' }).waitFor()
    assert.equal(await main.getByRole('button').count(), 0)
    assert.equal(await main.locator('td.edited').count(), 0)
    await assertAccessible(page)
  })

  it('are created with the role that the list is filtered by', async () => {
    const page = await openConsole(service, 'member', '/company/?is_customer=true')
    await page.getByRole('link', { name: 'Songbird Audio' }).waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New company' })
    await dialog.getByRole('checkbox', { name: 'Customer', checked: true }).waitFor()
    assert.equal(await dialog.getByRole('checkbox', { name: 'Supplier', checked: true }).count(), 0)
  })

  it('link to their purchase and sales orders, and to our stock that they hold', async () => {
    const { member } = service
    const createObject = async (path: string, body: object): Promise<number> => {
      const response = await member.post(path, body)
      assert.equal(response.status, 201, response.text)
      return (Array.isArray(response.body) ? response.body[0] : response.body).pk
    }
    const customer = await createObject('/api/company/', { name: 'Klangladen Ottensen', is_customer: true, is_supplier: true })
    const category = await createObject('/api/part/category/', { name: 'Instruments' })
    const part = await createObject('/api/part/', { name: 'Wren', category, salable: true })
    const item = await createObject('/api/stock/', { part, quantity: 3 })
    await createObject('/api/stock/', { part, quantity: 4 })
    await createObject('/api/stock/assign/', { items: [{ item }], customer })
    await createObject('/api/order/so/', { reference: 'SO-0001', customer })
    const page = await openConsole(service, 'member', `/company/${customer}/`)
    const rows = page.locator('dl.detail-list', { hasText: 'Sales orders' }).locator('div')
    await rows.first().waitFor()
    assert.deepEqual(
      (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
      ['Purchase orders 0', 'Sales orders 1', 'Returns 0', 'Stock at this customer 1'],
    )
    await assertAccessible(page)
    await capturePage(page, 'company-business')
    await rows.last().getByRole('link').click()
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('gridcell', { name: '3', exact: true }).waitFor()
    await page.goto(`/stock/item/${item}/`)
    await page.getByRole('link', { name: 'With Klangladen Ottensen' }).waitFor()
  })
})
