import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { parts } = await fillWorkshop(service)
const createObject = async (path: string, body: object): Promise<number> => {
  const { status, body: created, text } = await service.superuser.post(path, body)
  assert.equal(status, 201, `${path}: ${text}`)
  return created.pk
}

describe('the page of an assembly', { skip: cannotBrowse }, () => {
  it('shows how many can be built and the component that limits it', async () => {
    const createLine = (sub_part: number, fields: object) => createObject('/api/bom/', { part: parts.board, sub_part, ...fields })
    // 4,200 are available: 100 are lost, and 4,100 are enough for 293 of 14 each
    await createLine(parts.resistor, { quantity: 14, overage: '100' })
    // 99.5 m are available, and with a tenth lost each takes 33 m
    const cable = await createLine(parts.cable, { quantity: 30, overage: '10 %' })
    await createLine(parts.sensor, { quantity: 50, optional: true })
    const page = await openConsole(service, 'member', `/part/${parts.board}/bom/`)
    await page.getByText(/^Can build 3, limited by Cable/).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'bill-enough')
    assert.equal((await service.superuser.patch(`/api/bom/${cable}/`, { consumable: true })).status, 200)
    await page.reload()
    await page.getByText('Can build 292, limited by R-10K-0603 | Resistor 10 kΩ 0603').waitFor()
    assert.equal((await service.superuser.patch(`/api/bom/${cable}/`, { consumable: false, quantity: 300 })).status, 200)
    await page.reload()
    await page.getByText(/^Cannot build any: short of Cable/).waitFor()
  })

  it("shows all of its tests and the incoming and outgoing quantities of orders, in the reader's language and date format", async () => {
    await createObject('/api/part/test-template/', {
      part: parts.sensor,
      test_name: 'Range with the door open and both magnets in their places',
      description: 'At three metres, in the hall, with the frequency converters running',
      required: true,
    })
    await createObject('/api/build/', { part: parts.sensor, quantity: 4, reference: 'BO-0801', target_date: '2099-03-05' })
    const board = await createObject('/api/part/', { name: 'Door set', assembly: true, category: 1 })
    await createObject('/api/bom/', { part: board, sub_part: parts.sensor, quantity: 2 })
    await createObject('/api/build/', { part: board, quantity: 3, reference: 'BO-0802', target_date: '2099-04-01' })
    const page = await openConsole(service, 'member', `/part/${parts.sensor}/`, { locale: 'de-DE' })
    const incoming = page.getByRole('listitem').filter({ hasText: 'BO-0801' })
    await incoming.waitFor()
    assert.equal((await incoming.innerText()).replace(/\s+/g, ' '), '+4 BO-0801 aus Fertigung · 05.03.2099')
    const outgoing = page.getByRole('listitem').filter({ hasText: 'BO-0802' })
    assert.equal((await outgoing.innerText()).replace(/\s+/g, ' '), '−6 BO-0802 für Fertigung · 01.04.2099')
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const overflows = await page
        .locator('.cells')
        .evaluateAll((elements) => elements.map((element) => element.scrollWidth - element.clientWidth))
      assert.deepEqual(Math.max(...overflows) <= 0, true, `${overflows} pixels are cut off at ${width}`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await assertAccessible(page)
    await capturePage(page, 'assembly')
  })
})
