import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { preparePrinting } from '../../../../testing/printing.ts'
import { startZplPrinter } from '../../../../testing/servers/zpl-printer.ts'
import { testService } from '../../../../testing/service.ts'
import { scaleTimeout } from '../../../../testing/slowness.ts'
import { waitUntil } from '../../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../../testing/console.ts'
import { fillWorkshop } from '../../../testing/workshop.ts'
import { driverTexts } from './machine-texts.ts'

const service = await testService(await preparePrinting())
const printer = await startZplPrinter()
const { parts } = await fillWorkshop(service)
const { member } = service
const LONG = { timeout: scaleTimeout(60_000) }

describe('printers', { skip: cannotBrowse }, () => {
  it('are added, configured, tried, restarted, turned off and deleted', async () => {
    const page = await openConsole(service, 'member', '/settings/')
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Printers' }).click()
    await page.getByText('No printers yet').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Sends labels as ZPL to a port of the printer. Built-in.').waitFor()
    await page.keyboard.press('Enter')
    // the name is missing
    await dialog.locator('[aria-invalid]').waitFor()
    await dialog.getByLabel('Driver').selectOption('IPP')
    await dialog.getByText('over the Internet Printing Protocol').waitFor()
    await dialog.getByLabel('Driver').selectOption('ZPL over TCP')
    await dialog.getByLabel('Name').fill('Goods in')
    await assertAccessible(page)
    await capturePage(page, 'new-printer')
    await page.keyboard.press('Enter')

    // it says in words what it needs
    await page.getByRole('heading', { name: 'Goods in' }).waitFor()
    await page.getByText('Its setting "Host" is empty.').waitFor(LONG)
    await page.getByText('Not ready').waitFor()
    const port = page.getByLabel('Port', { exact: true })
    await port.fill('70000')
    await port.press('Enter')
    await main
      .getByRole('alert')
      .filter({ hasText: '65535' })
      .or(main.getByRole('alert').filter({ hasText: '65,535' }))
      .waitFor()
    await port.fill(String(printer.port))
    await port.press('Enter')
    await page.getByText('Port saved').first().waitFor()
    const host = page.getByLabel('Host', { exact: true })
    await host.fill('127.0.0.1')
    await host.press('Enter')
    await page.getByText('Connected', { exact: true }).waitFor(LONG)
    const location = page.getByLabel('Printer Location')
    await location.click()
    await page.getByRole('option', { name: 'Store/Shelf A', exact: false }).first().click()
    await page.getByText('Printer Location saved').first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'printer')

    // with sample data, then for a part
    await page.getByRole('button', { name: 'Test print' }).click()
    await dialog.getByRole('button', { name: 'Print 1 label' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'test-print')
    await dialog.getByRole('button', { name: 'Print 1 label' }).click()
    await dialog.getByText('Sent. Check the label.').waitFor(LONG)
    await waitUntil(async () => printer.text.includes('^XA'), 'nothing arrives at the printer', scaleTimeout(20_000))
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.keyboard.press('p')
    await dialog.getByLabel('Print for').click()
    await page.getByRole('option', { name: 'Resistor', exact: false }).first().click()
    await dialog.getByRole('button', { name: 'Print 1 label' }).click()
    await dialog.getByText('Sent. Check the label.').waitFor(LONG)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    const jobs = (await member.get('/api/print-job/')).body.results
    assert.deepEqual(
      jobs.map(({ object, machine_name }: Record<string, unknown>) => [object, machine_name]),
      [
        [parts.resistor, 'Goods in'],
        [null, 'Goods in'],
      ],
    )

    printer.paperOut = true
    await page.keyboard.press('r')
    await page.getByText('No labels', { exact: true }).waitFor(LONG)
    await page.getByText('It has no paper.').waitFor()
    printer.paperOut = false
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Goods in turned off').waitFor()
    assert.equal((await member.get('/api/machine/')).body.results[0].active, false)
    await page.goto('/settings/printers/')
    await page.getByRole('row').filter({ hasText: 'Goods in' }).getByText('Off').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'printers')
    await page.getByRole('link', { name: 'Goods in' }).click()
    await page.getByRole('heading', { name: 'Goods in' }).waitFor()
    await page.keyboard.press('Shift+D')
    await dialog.getByRole('button', { name: 'Delete printer' }).click()
    await page.getByText('No printers yet').waitFor()
    assert.equal((await member.get('/api/machine/')).body.count, 0)
  })

  it('are shown without actions to those who may only look, in German, and not at all to others', async () => {
    const { body: machine } = await member.post('/api/machine/', {
      name: 'Versand',
      machine_type: 'label-printer',
      driver: 'ipp',
    })
    const page = await openConsole(service, 'viewer', `/settings/printers/${machine.pk}/`, { locale: 'de-DE' })
    await page.getByText('Gib seine Adresse ein.').waitFor(LONG)
    await page.getByText('Um diese Einstellungen zu ändern').waitFor()
    assert.equal(await page.getByLabel('Adresse').isDisabled(), true)
    assert.equal(await page.getByRole('button', { name: 'Neu starten' }).count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'printer-german')
    const ofStaff = await openConsole(service, 'staff', `/settings/printers/${machine.pk}/`)
    await ofStaff.getByText('This page requires the Administration role').waitFor()
    assert.equal(await ofStaff.getByText('Versand').count(), 0)
    await member.delete(`/api/machine/${machine.pk}/`)
  })

  it('have German texts for every setting of the built-in drivers', async () => {
    for (const { slug, is_builtin } of (await member.get('/api/machine/drivers/')).body) {
      if (!is_builtin) continue
      const name = `texts of ${slug}`
      const { body: machine } = await member.post('/api/machine/', { name, machine_type: 'label-printer', driver: slug })
      const { body: settings } = await member.get(`/api/web/machines/${machine.pk}/settings/`)
      const keys = settings
        .filter((one: { config_type: string }) => one.config_type === 'D')
        .map(({ key }: { key: string }) => key)
      assert.deepEqual(Object.keys(driverTexts[slug]?.settings ?? {}).toSorted(), keys.toSorted())
      await member.delete(`/api/machine/${machine.pk}/`)
    }
  })
})

describe('print jobs', { skip: cannotBrowse }, () => {
  it('show what is printed for whom, with the file, the error, and a retry', async () => {
    await service.rows('delete from print_job')
    const [template] = (await member.get('/api/label/part/?limit=1')).body.results
    const url = `/api/label/part/${template.pk}/print/?parts=${parts.board},${parts.resistor}`
    const { body: job } = await member.post(url, {}, { prefer: 'respond-async' })
    await waitUntil(
      async () => (await member.get(`/api/print-job/${job.id}/`)).body.status === 'done',
      'the print does not end',
      scaleTimeout(60_000),
    )
    const page = await openConsole(service, 'staff', '/settings/print-jobs/')
    const row = page.getByRole('row').filter({ hasText: template.name })
    await row.getByText('Done').waitFor()
    await row.getByText('member').waitFor()
    await row.getByText('and 1 more').waitFor()
    assert.equal(await row.getByRole('link', { name: 'Sensor board' }).getAttribute('href'), `/part/${parts.board}/`)
    const file = await page.request.get(String(await row.getByRole('link', { name: 'Open PDF' }).getAttribute('href')))
    assert.equal((await file.body()).subarray(0, 5).toString(), '%PDF-')

    // staff without the role may look, and not print
    await row.getByRole('button', { name: 'Print again' }).click()
    await page.locator('.toast.bad').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'print-jobs')

    const own = await openConsole(service, 'member', '/settings/print-jobs/')
    await service.rows(
      `update print_job set status = 'failed', file = null, error = '{"code": "unavailable", "body": {},
        "field_errors": [{"pointer": "", "code": "machine_failed", "parameters": {"machine": "Goods in", "reason": "No paper."}, "message": "The machine Goods in did not print: No paper."}]}'`,
    )
    await own.reload()
    await own.getByText('The machine Goods in did not print: No paper.').waitFor()
    await own.setViewportSize({ width: 390, height: 844 })
    await own.getByRole('button', { name: 'Failed: ' }).click()
    await own.getByRole('dialog').getByText('The machine Goods in did not print: No paper.').waitFor()
    await assertAccessible(own)
    await capturePage(own, 'print-job')
    await own.keyboard.press('Escape')
    await own.setViewportSize({ width: 1440, height: 900 })
    assert.equal(await own.getByRole('columnheader', { name: 'Account' }).count(), 0)
    await own.getByRole('button', { name: 'Retry' }).click()
    await own.getByRole('row').filter({ hasText: 'Done' }).waitFor(LONG)
    assert.equal((await member.get('/api/print-job/')).body.count, 2)
    await own.goto('/settings/print-jobs/?status=failed')
    await own.getByRole('row').filter({ hasText: 'Failed' }).waitFor()
    assert.equal(await own.getByRole('row').filter({ hasText: 'Done' }).count(), 0)
  })

  it('are cancelled, and one with an unknown result is printed again only after a question', async () => {
    await service.rows(`update print_job set status = 'waiting', file = null where pk = (select max(pk) from print_job)`)
    const page = await openConsole(service, 'member', '/settings/print-jobs/?status=waiting')
    await page.getByRole('button', { name: 'Cancel: ' }).click()
    await page.getByText('No matches').waitFor()
    assert.equal((await member.get('/api/print-job/?status=cancelled')).body.count, 1)
    await service.rows(`update print_job set status = 'unknown' where status = 'cancelled'`)
    await page.goto('/settings/print-jobs/?status=unknown')
    await page.getByRole('button', { name: 'Retry' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('it may come out twice').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await member.get('/api/print-job/')).body.count, 2)
    await page.getByRole('button', { name: 'Retry' }).first().click()
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await member.get('/api/print-job/')).body.count, 3)
    const ofOther = await openConsole(service, 'nobody', '/settings/print-jobs/')
    await ofOther.getByText('No print jobs yet').waitFor()
  })
})
