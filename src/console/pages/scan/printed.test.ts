import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPdf, renderPdf } from '../../../testing/pdf.ts'
import { preparePrinting } from '../../../testing/printing.ts'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { newFilm, showPicture } from '../../testing/camera.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole, setCameraFilm } from '../../testing/console.ts'
import { workshop } from '../../testing/deliveries.ts'

/** Dots per inch of a cheap label printer. */
const DPI = 203

describe('a printed label', { skip: cannotBrowse }, () => {
  it('is read by the camera of a phone, which opens the item', async () => {
    const service = await testService(await preparePrinting())
    const { place, part, stock } = workshop(service)
    const shelf = await place('Shelf 3')
    const item = await stock(await part('Ferrite bead'), 250, shelf, { batch: 'B-7' })
    const film = newFilm()
    setCameraFilm(film)

    const desk = await openConsole(service, 'member', `/stock/item/${item}/`)
    await desk.getByRole('heading', { name: /Ferrite bead/ }).waitFor()
    await desk.keyboard.press('p')
    const dialog = desk.getByRole('dialog', { name: 'Print labels' })
    await dialog.getByLabel('Template').waitFor()
    await assertAccessible(desk)
    await desk.keyboard.press('Enter')
    const link = dialog.getByRole('link', { name: 'Open PDF' })
    await link.waitFor({ timeout: scaleTimeout(60_000) })
    const pdf = await (await desk.request.get(String(await link.getAttribute('href')))).body()
    assert.equal((await readPdf(pdf)).length, 1)
    await showPicture(film, await renderPdf(pdf, DPI))

    const phone = await openConsole(service, 'member', '/scan/', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await phone.getByRole('button', { name: 'Scan with camera' }).tap()
    const itemLink = phone.locator('.scan-newest').getByRole('link', { name: '250 × Ferrite bead' })
    await itemLink.waitFor({ timeout: scaleTimeout(30_000) })
    await capturePage(phone, 'scan-printed')
    await itemLink.tap()
    await phone.waitForURL(`**/stock/item/${item}/`)
    await phone.getByRole('heading', { name: /Ferrite bead/ }).waitFor()
  })
})
