import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { filmCode } from '../../testing/camera.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole, setCameraFilm } from '../../testing/console.ts'
import { digikeyLabel, workshop } from '../../testing/deliveries.ts'

const service = await testService()
const { place, supplier, order, stockOf } = workshop(service)
const bench = await place('Bench')
const { pk, reference } = await order(await supplier('DigiKey'), [{ sku: '296-LM358-ND', name: 'LM358', quantity: 10 }])
if (!cannotBrowse) setCameraFilm(await filmCode(digikeyLabel(reference, '296-LM358-ND', 10)))

describe('the phone camera', { skip: cannotBrowse }, () => {
  it('receives the label in front of it, once, with one press', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${bench}`, phone)
    const externalUrls: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).host !== new URL(page.url()).host) externalUrls.push(request.url())
    })
    await page.getByRole('button', { name: 'Scan with camera' }).tap()
    await page
      .locator('.scan-newest')
      .getByText('Received 10 × LM358 into Bench')
      .waitFor({ timeout: scaleTimeout(30_000) })
    await assertAccessible(page)
    await capturePage(page, 'scan-camera')
    const countScans = async () => (await service.member.get('/api/barcode/history/?action=receive')).body.count
    // it stays in view, and counts once
    await page.waitForTimeout(2_500)
    assert.deepEqual([await countScans(), (await stockOf(pk)).length, externalUrls], [1, 1, []])
    await page.getByRole('button', { name: 'Close camera' }).tap()
    await page.locator('.camera').waitFor({ state: 'detached' })
  })
})
