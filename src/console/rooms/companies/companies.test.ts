import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, consoleOf, looksAt } from '../../testing/console.ts'

const service = await testService()
for (const [name, more] of [
  ['Brightwell Components', { is_supplier: true, description: 'Electronic parts by the reel', currency: 'GBP' }],
  ['Alpine Fasteners', { is_supplier: true, is_manufacturer: true, email: 'sales@alpine.example' }],
  ['Songbird Audio', { is_customer: true, is_supplier: false }],
] as const)
  assert.equal((await service.member.post('/api/company/', { name, ...more })).status, 201)

describe('companies', { skip: cannotBrowse }, () => {
  it('are a table whose filters, order and columns are in the address', async () => {
    const page = await consoleOf(service, 'member', '/company/')
    await page.waitForURL('**/company/')
    const names = () => page.locator('tbody td:first-child').allTextContents()
    await page.getByRole('link', { name: 'Songbird Audio' }).waitFor()
    assert.deepEqual(await names(), ['Alpine Fasteners', 'Brightwell Components', 'Songbird Audio'])
    await assertAccessible(page)
    await looksAt(page, 'companies')

    await page.getByRole('button', { name: 'Name' }).click()
    await page.getByRole('button', { name: 'Name' }).click()
    await page.waitForURL('**/company/?ordering=-name')
    await page.locator('tbody tr:first-child', { hasText: 'Songbird' }).waitFor()
    await page.getByLabel('Supplier').selectOption('Yes')
    await page.getByText('2 rows').waitFor()
    assert.deepEqual(await names(), ['Brightwell Components', 'Alpine Fasteners'])

    // the same address shows the same to somebody else
    const other = await consoleOf(service, 'viewer', page.url())
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

  it('are given notes and files, and deleted unless they have stock of ours', async () => {
    const { body: made } = await service.member.post('/api/company/', { name: 'Shortlived Ltd', is_customer: true })
    const page = await consoleOf(service, 'superuser', `/company/${made.pk}/`, { locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Dateien' }).waitFor()
    await page.getByRole('button', { name: 'Mehr', exact: true }).click()
    await page.getByRole('button', { name: 'Notizen bearbeiten' }).click()
    await page.getByLabel('Notizen').fill('Ruft freitags zurück')
    await page.keyboard.press('Control+Enter')
    await page.locator('p.notes', { hasText: 'Ruft freitags zurück' }).waitFor()
    await assertAccessible(page)
    await looksAt(page, 'company-notes')

    const { body: category } = await service.superuser.post('/api/part/category/', { name: 'Lent out' })
    const { body: part } = await service.superuser.post('/api/part/', { name: 'Meter', category: category.pk, salable: true })
    const { status, body: item, text } = await service.superuser.post('/api/stock/', { part: part.pk, quantity: 1 })
    assert.equal(status, 201, text)
    await service.rows('update stock_item set customer = $1 where pk = $2', [made.pk, item.pk])
    await page.keyboard.press('Shift+D')
    const dialog = page.getByRole('dialog', { name: 'Shortlived Ltd löschen?' })
    await dialog.getByText('verschwinden mit ihr').waitFor()
    await dialog.getByRole('button', { name: 'Löschen' }).click()
    await dialog.getByText(`Die Firma hat Lagerposten von uns (${item.pk}).`).waitFor()
    await service.rows('update stock_item set customer = null where pk = $1', [item.pk])
    await dialog.getByRole('button', { name: 'Löschen' }).click()
    await page.waitForURL('**/company/')
    assert.equal((await service.member.get(`/api/company/${made.pk}/`)).status, 404)

    const reader = await consoleOf(service, 'viewer', '/company/1/')
    await reader.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await reader.getByRole('button', { name: 'More', exact: true }).count(), 0)
  })

  it('lead to their orders, and to a new one with them', async () => {
    const { results } = (await service.member.get('/api/company/?name=Brightwell Components')).body
    const page = await consoleOf(service, 'member', `/company/${results[0].pk}/`)
    const facts = page.locator('.facts')
    await facts.getByRole('link', { name: /^Purchase orders: / }).waitFor()
    assert.equal(await facts.getByRole('link', { name: /^Sales orders/ }).count(), 0)
    await assertAccessible(page)
    await facts.getByRole('link', { name: /^Purchase orders: / }).click()
    await page.getByRole('button', { name: 'New purchase order' }).first().waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Supplier', { exact: true }).waitFor()
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Brightwell Components')
    // what is wrong far below is gone to
    await dialog.getByText('More').click()
    await dialog.getByLabel('Link').fill('brightwell.example/order')
    await dialog.getByLabel('Supplier', { exact: true }).focus()
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('it begins with https://').waitFor()
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).name === 'link')
  })

  it('are made and edited by keys alone, with what is wrong at its field', async () => {
    const page = await consoleOf(service, 'member', '/company/')
    await page.getByText('3 rows').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByText('Create').waitFor()
    await assertAccessible(page)
    await looksAt(page, 'new-company')
    // what opens is seen
    await page.getByText('More', { exact: true }).click()
    await page.waitForFunction(() => {
      const [last] = [...document.querySelectorAll('dialog details .field')].slice(-1)
      return last && last.getBoundingClientRect().bottom <= window.innerHeight
    })
    await page.getByText('More', { exact: true }).click()
    await page.getByLabel('Description').focus()
    await page.keyboard.press('Enter')
    // the focus goes to what is wrong
    await page.getByLabel('Name').and(page.locator('[aria-invalid]:focus')).waitFor()
    await page.keyboard.type('Isar Sensors')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Isar Sensors' }).waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('Description').fill('Light and touch')
    await assertAccessible(page)
    await looksAt(page, 'company-edit')
    await page.keyboard.press('Enter')
    await page.getByText('Saved').waitFor()
    await page.getByText('Light and touch').waitFor()
    await assertAccessible(page)
    await looksAt(page, 'company')
    const { body } = await service.member.get('/api/company/?name=Isar Sensors')
    assert.equal(body.results[0].description, 'Light and touch')
  })

  it('are edited in the table as in a sheet, and what somebody else wrote meanwhile is not lost', async () => {
    const page = await consoleOf(service, 'member', '/company/?search=bright')
    await page.getByRole('button', { name: 'Edit: Description' }).click()
    await page.keyboard.type('By the reel and by the strip')
    await page.keyboard.press('Enter')
    await page.getByText('By the reel and by the strip').waitFor()
    const { body } = await service.member.get('/api/company/?name=Brightwell Components')
    assert.equal(body.results[0].description, 'By the reel and by the strip')

    // what was changed since the list was read, before the edit began
    await service.superuser.patch(`/api/company/${body.results[0].pk}/`, { description: 'Theirs' })
    await page.keyboard.press('Enter')
    await page.keyboard.type('Mine')
    await page.keyboard.press('Tab')
    const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
    await dialog.waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Take the other version' }).click()
    await page.getByRole('gridcell', { name: 'Theirs' }).waitFor()
  })

  it('are not overwritten: both versions are shown, and one is chosen', async () => {
    const { body: company } = await service.member.post('/api/company/', { name: 'Quill & Nib', phone: '1' })
    const page = await consoleOf(service, 'member', `/company/${company.pk}/`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Phone').fill('2')
    await service.superuser.patch(`/api/company/${company.pk}/`, { phone: '3' })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
    await dialog.waitFor()
    assert.deepEqual(await dialog.locator('tbody td').allTextContents(), ['2', '3'])
    await assertAccessible(page)
    await looksAt(page, 'conflict')
    await dialog.getByRole('button', { name: 'Save my version' }).click()
    await page.getByText('Saved').waitFor()
    assert.equal((await service.member.get(`/api/company/${company.pk}/`)).body.phone, '2')
  })

  it('have contacts and addresses that are made, edited in place and deleted', async () => {
    const { body: company } = await service.member.post('/api/company/', { name: 'Halden Sensors', is_supplier: true })
    const page = await consoleOf(service, 'member', `/company/${company.pk}/`)
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
    // the role, in place
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
    await address.getByLabel('Street').fill('Unit 6, Lock Lane, behind the old lime kilns')
    await address.getByLabel('Town').fill('Brightwell')
    await page.keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Addresses' }).locator('[data-at="0-5"]').getByText('Brightwell').waitFor()
    await assertAccessible(page)
    await looksAt(page, 'company-people')
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

  it('show what they sell and make, where new ones are made and taken out again', async () => {
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
    const page = await consoleOf(service, 'member', `/company/${company.pk}/`)
    await page.getByRole('heading', { name: 'What it makes' }).waitFor()
    await page.keyboard.press('m')
    const made = page.getByRole('dialog', { name: 'New manufacturer part' })
    await made.locator('input:focus').waitFor()
    await page.keyboard.type('usb')
    await page.getByRole('option', { name: /USB-C socket/ }).waitFor()
    await page.keyboard.press('Enter')
    await made.getByLabel('Manufacturer number').fill('YU16-C')
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(/manufacturer-part\/\d+\/$/)
    await page.getByRole('heading', { name: 'YU16-C' }).waitFor()
    // what it is like
    await page.keyboard.press('n')
    const parameter = page.getByRole('dialog', { name: 'Add a parameter' })
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
    await looksAt(page, 'manufacturer-part')

    await page.goto(`/company/${company.pk}/`)
    await page.getByRole('link', { name: 'YU16-C' }).waitFor()
    await page.keyboard.press('s')
    const sold = page.getByRole('dialog', { name: 'New supplier part' })
    await sold.locator('input:focus').waitFor()
    await page.keyboard.type('usb')
    await page.getByRole('option', { name: /USB-C socket/ }).waitFor()
    await page.keyboard.press('Enter')
    await sold.getByLabel('Supplier number').fill('CC-USBC-16')
    await sold.getByLabel('Pack', { exact: true }).fill('100')
    await looksAt(page, 'new-supplier-part')
    await page.keyboard.press('Enter')
    await page.waitForURL(/supplier-part\/\d+\/$/)
    await page.getByRole('heading', { name: 'CC-USBC-16' }).waitFor()
    // what it costs
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
    await looksAt(page, 'supplier-part-prices')
    const pk = Number(/(\d+)\/$/.exec(page.url())?.[1])
    const { body: breaks } = await service.member.get(`/api/company/price-break/?part=${pk}`)
    assert.deepEqual(
      breaks.results.map(({ quantity, price: asked }: { quantity: number; price: string }) => [quantity, asked]),
      [[1, '6.750000']],
    )
    await page.goto(`/company/${company.pk}/`)
    await page.getByRole('link', { name: 'CC-USBC-16' }).waitFor()
    await assertAccessible(page)
    await looksAt(page, 'company-parts')
    await page.getByRole('link', { name: 'CC-USBC-16' }).click()
    await page.getByRole('heading', { name: 'CC-USBC-16' }).waitFor()
    await page.locator('main').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog', { name: 'Delete CC-USBC-16?' }).getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(`**/part/${part.pk}/`)
    assert.equal((await service.member.get(`/api/company/part/${pk}/`)).status, 404)
    // from the page of the part
    await page.getByRole('heading', { name: 'Suppliers' }).waitFor()
    await page.goto(`/part/${part.pk}/?do=supplier`)
    await page.getByRole('dialog', { name: 'New supplier part' }).locator('input:focus').waitFor()
    await assertAccessible(page)
  })

  it('show a reader what there is, and no way to change it', async () => {
    const { body } = await service.member.get('/api/company/?name=Cascadia Circuits')
    const page = await consoleOf(service, 'viewer', `/company/${body.results[0].pk}/`)
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

  it('are made as what the list is narrowed to', async () => {
    const page = await consoleOf(service, 'member', '/company/?is_customer=true')
    await page.getByRole('link', { name: 'Songbird Audio' }).waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New company' })
    await dialog.getByRole('checkbox', { name: 'Customer', checked: true }).waitFor()
    assert.equal(await dialog.getByRole('checkbox', { name: 'Supplier', checked: true }).count(), 0)
  })

  it('lead to what is ordered from them and by them, and to what of ours they have', async () => {
    const { member } = service
    const made = async (path: string, body: object): Promise<number> => {
      const answer = await member.post(path, body)
      assert.equal(answer.status, 201, answer.text)
      return (Array.isArray(answer.body) ? answer.body[0] : answer.body).pk
    }
    const customer = await made('/api/company/', { name: 'Klangladen Ottensen', is_customer: true, is_supplier: true })
    const category = await made('/api/part/category/', { name: 'Instruments' })
    const part = await made('/api/part/', { name: 'Wren', category, salable: true })
    const item = await made('/api/stock/', { part, quantity: 3 })
    await made('/api/stock/', { part, quantity: 4 })
    await made('/api/stock/assign/', { items: [{ item }], customer })
    await made('/api/order/so/', { reference: 'SO-0001', customer })
    const page = await consoleOf(service, 'member', `/company/${customer}/`)
    const rows = page.locator('dl.facts', { hasText: 'Sales orders' }).locator('div')
    await rows.first().waitFor()
    assert.deepEqual(
      (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
      ['Purchase orders 0', 'Sales orders 1', 'Returns 0', 'Stock items it has 1'],
    )
    await assertAccessible(page)
    await looksAt(page, 'company-business')
    await rows.last().getByRole('link').click()
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('gridcell', { name: '3', exact: true }).waitFor()
    await page.goto(`/stock/item/${item}/`)
    await page.getByRole('link', { name: 'At Klangladen Ottensen' }).waitFor()
  })
})
