import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../testing/service.ts'
import { WEB_PAGES } from '../web-pages.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from './testing/console.ts'

const service = await testService()
const create = async (path: string, body: object): Promise<number> => {
  const response = await service.superuser.post(path, body)
  assert.equal(response.status, 201, `${path} ${response.text}`)
  // new stock items are returned as a list
  return response.body.pk ?? response.body[0].pk
}
const category = await create('/api/part/category/', { name: 'Fasteners' })
const part = await create('/api/part/', { name: 'M3 x 10', category, assembly: true, purchaseable: true, salable: true })
const company = await create('/api/company/', { name: 'Bolt & Co', is_supplier: true, is_customer: true })
const location = await create('/api/stock/location/', { name: 'Shelf A' })

/** An object of each kind that has a page, by the URL of the kind. */
const objects: Record<keyof typeof WEB_PAGES, number> = {
  '/api/build/': await create('/api/build/', { reference: 'BO-0001', part, quantity: 2, title: 'A few' }),
  '/api/company/': company,
  '/api/company/part/': await create('/api/company/part/', { part, supplier: company, SKU: 'B-310' }),
  '/api/order/po/': await create('/api/order/po/', { reference: 'PO-0001', supplier: company }),
  '/api/order/ro/': await create('/api/order/ro/', { reference: 'RMA-0001', customer: company }),
  '/api/order/so/': await create('/api/order/so/', { reference: 'SO-0001', customer: company }),
  '/api/order/transfer-order/': await create('/api/order/transfer-order/', { reference: 'TO-0001', destination: location }),
  '/api/part/': part,
  '/api/part/category/': category,
  '/api/stock/': await create('/api/stock/', { part, quantity: 5, location }),
  '/api/stock/location/': location,
}

describe('every page whose URL the API returns', { skip: cannotBrowse }, () => {
  it('opens its object', async () => {
    const page = await openConsole(service, 'superuser', '/company/')
    for (const [path, url] of Object.entries(WEB_PAGES)) {
      await page.goto(`${url}${objects[path as keyof typeof WEB_PAGES]}/`)
      await page.locator('main h1').waitFor()
      assert.notEqual(await page.locator('main h1').textContent(), 'Page not found', url)
    }
  })

  for (const [url, title] of [
    [`/build/${objects['/api/build/']}/`, 'BO-0001'],
    [`/supplier-part/${objects['/api/company/part/']}/`, 'B-310'],
    [`/order/return-order/${objects['/api/order/ro/']}/`, 'RMA-0001'],
  ] as const)
    it(`shows ${title}`, async () => {
      const page = await openConsole(service, 'superuser', url)
      await page.getByRole('heading', { name: title }).waitFor()
      await assertAccessible(page)
      await capturePage(page, title)
    })
})
