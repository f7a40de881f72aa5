import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { parts, supplier } = await fillWorkshop(service)
const createObject = async (path: string, body: object): Promise<any> => {
  const { status, body: created, text } = await service.superuser.post(path, body)
  assert.equal(status, 201, `${path}: ${text}`)
  return created
}

describe('organizing parts', { skip: cannotBrowse }, () => {
  it('opens categories from the list of all parts', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Electronics 4' }).click()
    await page.getByRole('heading', { name: 'Electronics', level: 1 }).waitFor()
    assert.equal(await page.getByRole('navigation', { name: 'Categories' }).count(), 0, 'no empty line')
    await page.goBack()
    await page.getByRole('link', { name: 'Electronics 4' }).waitFor()
    await page.getByText('4 rows').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'parts-categories')
  })

  it('keeps descriptions readable next to parameter columns', async () => {
    for (const name of ['Resistance', 'Tolerance', 'Power']) {
      const template = await createObject('/api/part/parameter/template/', { name })
      await createObject('/api/part/parameter/', { part: parts.cable, template: template.pk, data: '1' })
    }
    const page = await openConsole(service, 'member', '/part/category/1/')
    await page.getByRole('columnheader', { name: 'Tolerance' }).waitFor()
    const description = page.getByRole('button', { name: /^For the sensors at the doors/ })
    const { width } = (await description.boundingBox()) ?? { width: 0 }
    assert.ok(width >= 150, `${width} pixels`)
    // truncated text shows an ellipsis, which the text of a flex box cannot
    assert.deepEqual(
      await description.evaluate((button) => [getComputedStyle(button).display, getComputedStyle(button).textOverflow]),
      ['block', 'ellipsis'],
    )
  })

  it('describes structural categories without mentioning locations', async () => {
    const page = await openConsole(service, 'superuser', '/part/category/1/', { locale: 'de-DE' })
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Neue Kategorie' })
    await dialog.getByLabel('Strukturell').waitFor()
    assert.equal(await dialog.getByText('untergeordnete Lagerorte').count(), 0)
  })

  it('makes a part inactive instead of deleting it, and active again', async () => {
    const { pk } = await createObject('/api/part/', { name: 'Old relay', category: 1 })
    const page = await openConsole(service, 'superuser', `/part/${pk}/`)
    const runMenuAction = async (name: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name, exact: true }).click()
    }
    await page.getByRole('heading', { name: 'Old relay', level: 1 }).waitFor()
    await runMenuAction('Delete')
    await page.getByRole('dialog', { name: 'Make Old relay inactive first?' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Make inactive' }).click()
    await page.getByText('Inactive', { exact: true }).waitFor()
    await runMenuAction('Make active')
    await page.getByText('Inactive', { exact: true }).waitFor({ state: 'detached' })
    await runMenuAction('Delete')
    await page.getByRole('button', { name: 'Make inactive' }).click()
    await page.getByText('Inactive', { exact: true }).waitFor()
    await runMenuAction('Delete')
    await page.getByRole('dialog', { name: 'Delete Old relay?' }).getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/part/')
    assert.equal((await service.member.get(`/api/part/${pk}/`)).status, 404)
  })

  it('shows the prices of all suppliers in full on a phone', async () => {
    const supplierPart = await createObject('/api/company/part/', { part: parts.resistor, supplier, SKU: 'NEW-23182-EFC-LONG' })
    await createObject('/api/company/price-break/', {
      part: supplierPart.pk,
      quantity: 1_000,
      price: '12345.1641',
      price_currency: 'USD',
    })
    const page = await openConsole(service, 'superuser', `/part/${parts.resistor}/prices/`, {
      viewport: { width: 390, height: 844 },
      locale: 'de-DE',
    })
    const row = page.getByRole('row', { name: /NEW-23182-EFC-LONG/ })
    await row.getByRole('link', { name: 'Brightwell Components' }).waitFor()
    const overflow = await row.evaluate((element) => {
      const table = element.closest('table') as HTMLElement
      const panel = table.parentElement as HTMLElement
      return Math.max(panel.scrollWidth - panel.clientWidth, table.getBoundingClientRect().right - innerWidth)
    })
    await capturePage(page, 'part-prices-suppliers')
    assert.ok(overflow <= 0, `${overflow} pixels are cut off`)
  })
})
