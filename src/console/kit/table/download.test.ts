import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { locations } = await fillWorkshop(service)

describe('a table', { skip: cannotBrowse }, () => {
  it('is downloaded as a file with the current filters and order', async () => {
    const page = await openConsole(service, 'viewer', `/stock/?location=${locations.shelf}&ordering=-stock`)
    await page.getByText(/\d rows/).waitFor()
    await page.getByRole('button', { name: 'Download rows' }).click()
    await assertAccessible(page)
    await capturePage(page, 'download')
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
    assert.match(file.suggestedFilename(), /^Stockroom_stockitem_\d{4}-\d\d-\d\d\.csv$/)
    const rows: Record<string, string>[] = parse(readFileSync(await file.path()), { columns: true })
    const { body } = await service.viewer.get(`/api/stock/?location=${locations.shelf}&ordering=-stock`)
    assert.deepEqual(
      rows.map(({ pk }) => Number(pk)),
      body.results.map(({ pk }: { pk: number }) => pk),
    )
    assert.ok(rows[0]?.['part_detail.name'])
  })
})
