import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService()
const { body: company } = await service.member.post('/api/company/', { name: 'Brightwell Components' })
await service.rows(
  `insert into notification ("user", category, name, message, target)
   select $1, 'order.new_purchaseorder', 'New order', 'An order was written', json_build_object('name', 'PO-' || i, 'model', 'company', 'pk', $2::integer, 'link', '/company/' || $2 || '/')
   from generate_series(1, 3) i`,
  [service.getPk('member'), company.pk],
)

describe('notifications', { skip: cannotBrowse }, () => {
  it('are counted in the header, can be marked as read one by one or all together, and link to their objects', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('link', { name: '3 unread notifications' }).click()
    await page.getByText('3 rows').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'notifications')
    // without a network an error is shown, and nothing counts as read
    await page.route('**/api/notifications/*/', (route) => route.abort())
    await page.getByRole('checkbox').first().click()
    await page.getByText('The service cannot be reached').first().waitFor()
    await page.getByRole('checkbox', { checked: true }).waitFor({ state: 'detached' })
    await page.unroute('**/api/notifications/*/')
    await page.getByRole('checkbox').first().check()
    await page.getByRole('link', { name: '2 unread notifications' }).waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('link', { name: 'No unread notifications' }).waitFor()
    assert.deepEqual(await service.rows('select distinct read from notification'), [{ read: true }])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Brightwell Components' }).waitFor()
  })
})
