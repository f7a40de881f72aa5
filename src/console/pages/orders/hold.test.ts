import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBuildHelpers } from '../../../testing/objects/building.ts'
import { createSalesHelpers } from '../../../testing/objects/selling.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, openConsole } from '../../testing/console.ts'

const service = await testService()
const { member } = service
const { order } = createSalesHelpers(service)
const { part, build } = createBuildHelpers(service)

const readStatus = async (path: string) => (await member.get(path)).body.status

describe('orders on hold', { skip: cannotBrowse }, () => {
  for (const [name, pagePath, apiPath, createOrder, issued] of [
    ['a sales order', '/order/sales-order/', '/api/order/so/', () => order(), 15],
    ['a build order', '/build/', '/api/build/', async () => build(await part({ assembly: true })), 20],
  ] as const)
    it(`are put on hold and resumed on the page of ${name}`, async () => {
      const pk = await createOrder()
      assert.equal((await member.post(`${apiPath}${pk}/issue/`)).status, 201)
      const page = await openConsole(service, 'member', `${pagePath}${pk}/`)
      const choose = async (action: string) => {
        const button = page.getByRole('button', { name: action, exact: true }).or(page.getByRole('menuitem', { name: action }))
        if (!(await button.first().isVisible())) await page.getByRole('button', { name: 'More', exact: true }).first().click()
        await button.first().click()
        await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
      }
      await page.getByRole('heading', { level: 1 }).waitFor()
      await choose('Hold')
      await page.getByText('On hold', { exact: true }).waitFor()
      assert.equal(await readStatus(`${apiPath}${pk}/`), 25)
      await assertAccessible(page)
      await choose('Resume')
      await page.getByText('On hold', { exact: true }).waitFor({ state: 'detached' })
      assert.equal(await readStatus(`${apiPath}${pk}/`), issued)
    })
})
