import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { preparePrinting } from '../../../../testing/printing.ts'
import { testService } from '../../../../testing/service.ts'
import { waitUntil } from '../../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole, waitUntilLoaded } from '../../../testing/console.ts'
import { scanCode } from '../../../testing/scanner.ts'

const service = await testService(await preparePrinting())
const { superuser, member } = service
const toDataUri = (text: string, name = 'text.html') => `data:text/html;name=${name},${encodeURIComponent(text)}`

let part: number
before(async () => {
  const { body: category } = await superuser.post('/api/part/category/', { name: 'Parts' })
  part = (await superuser.post('/api/part/', { name: 'Flux capacitor', IPN: 'FC-1', category: category.pk })).body.pk
})

const EDITOR = '/settings/templates/label-part/1/'
const BUILT_IN_FILE = 'label/inventree/part/part_label.html'
const readLabel = async (pk = 1) => (await service.rows('select * from part_label where pk = $1', [pk]))[0]
const readText = async (pk: number, kind = 'label/part') =>
  (await member.get(`/api/web/template/source/?kind=${kind}&template=${pk}`)).body.text
const resetLabel = () => superuser.post('/api/label/part/1/reset/')

/** Waits until the preview shows what was requested last. */
const waitForPreview = (page: Page) =>
  page.waitForFunction(() => {
    const preview = document.querySelector<HTMLElement>('.template-preview')
    return preview?.ariaBusy === 'false' && Number(preview.dataset.shown) > 0
  })
const getEditor = (page: Page) => page.getByRole('textbox', { name: 'Template source' })

/** Replaces the text of the editor, as by pasting. */
async function replaceText(page: Page, text: string): Promise<void> {
  await getEditor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}
const openRowMenu = (page: Page, name: string) => page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()

describe('the list of templates', { skip: cannotBrowse }, () => {
  it('shows templates by kind, filtered by kind, search and origin', async () => {
    const page = await openConsole(service, 'member', '/settings/templates/')
    await page.getByRole('link', { name: 'Part label', exact: true }).waitFor()
    const parts = page.getByRole('table', { name: 'Part labels' })
    await parts.getByText('70 × 24 mm').first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'templates')
    await page.getByRole('combobox', { name: 'Type' }).selectOption('BOM reports')
    await page.getByRole('link', { name: 'BOM report', exact: true }).waitFor()
    assert.equal(await parts.count(), 0)
    assert.match(page.url(), /kind=report-bom/)
    await page.getByRole('combobox', { name: 'Type' }).selectOption('All types')
    await page.getByLabel('Search templates').fill('code128')
    await page.getByRole('heading', { name: 'BOM reports' }).waitFor({ state: 'detached' })
    await page.getByLabel('Search templates').fill('barcode')
    await page.getByRole('link', { name: 'Barcode part label' }).waitFor()
    await page.getByLabel('Modified and custom only').check()
    await page.getByText('No matches').waitFor()
  })

  it('enables, duplicates, exports and deletes templates', async () => {
    const page = await openConsole(service, 'member', '/settings/templates/?kind=label-part')
    await page.getByLabel('Barcode part label: enabled').uncheck()
    await page.getByText('Barcode part label is disabled').waitFor()
    assert.equal((await readLabel(2)).enabled, false)
    await openRowMenu(page, 'Part label')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    const copy = page.getByRole('row').filter({ hasText: 'Copy of Part label' })
    await copy.waitFor()
    const [{ pk, width }] = await service.rows(`select pk, width::float from part_label where name = 'Copy of Part label'`)
    assert.deepEqual([await readText(pk), width], [await readText(1), 70])
    await openRowMenu(page, 'Copy of Part label')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const download = await downloading
    assert.equal(download.suggestedFilename(), 'Copy_of_Part_label.html')
    assert.equal(readFileSync(await download.path(), 'utf8'), await readText(pk))
    await openRowMenu(page, 'Copy of Part label')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete Copy of Part label?' }).getByRole('button', { name: 'Delete' }).click()
    await copy.waitFor({ state: 'detached' })
    assert.equal(await readLabel(pk), undefined)
  })

  it('creates a template from a shipped one, and from a file', async () => {
    const page = await openConsole(service, 'member', '/settings/templates/')
    await page.getByRole('button', { name: 'New template' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').selectOption('Location labels')
    await dialog.getByLabel('Start with').selectOption('QR and text')
    await dialog.getByLabel('Name').fill('Shelf label')
    await assertAccessible(page)
    await capturePage(page, 'template-new')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Shelf label' }).waitFor()
    const [shelf] = await service.rows(`select pk, width::float from stock_location_label where name = 'Shelf label'`)
    assert.deepEqual([shelf.width, await readText(shelf.pk, 'label/location')], [50, await readText(2, 'label/location')])

    await page.goto('/settings/templates/')
    await page.getByRole('button', { name: 'New template' }).click()
    await dialog.getByLabel('Type').selectOption('Purchase order reports')
    await dialog.getByLabel('Start with').selectOption('A file from this computer')
    await dialog.getByLabel('Name').fill('Letter')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Select an HTML file.').waitFor()
    await dialog
      .getByLabel('File')
      .setInputFiles({ name: 'letter.html', mimeType: 'text/html', buffer: Buffer.from('<p>\n{{ order') })
    await dialog.getByLabel('Description').fill('A letter')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('line 2, column 1').waitFor()
    await dialog
      .getByLabel('File')
      .setInputFiles({ name: 'letter.html', mimeType: 'text/html', buffer: Buffer.from('<p>{{ order.reference }}</p>') })
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Letter' }).waitFor()
    const [letter] = await service.rows(`select pk from purchase_order_report where name = 'Letter'`)
    assert.equal(await readText(letter.pk, 'report/po'), '<p>{{ order.reference }}</p>')
  })
})

describe('the editor of a template', { skip: cannotBrowse }, () => {
  it('is loaded only on its page', async () => {
    const page = await openConsole(service, 'member', '/')
    const scripts: string[] = []
    page.on('response', async (response) => {
      if (/\/console\/.*\.m?js$/.test(response.url())) scripts.push(await response.text().catch(() => ''))
    })
    const countEditors = () => scripts.filter((text) => /cm-scroller|GlobalWorkerOptions/.test(text)).length
    for (const path of ['/', '/settings/', '/settings/templates/', '/settings/templates/assets/', '/part/']) {
      await page.goto(path)
      await page.locator('main h1').waitFor()
      await waitUntilLoaded(page)
    }
    assert.ok(scripts.length > 5)
    assert.equal(countEditors(), 0)
    await page.goto(EDITOR)
    await getEditor(page).waitFor()
    await waitUntil(() => countEditors() === 1, 'the editor is not among the scripts')
  })

  it('completes names, shows the preview and errors at their line, and saves', async () => {
    const page = await openConsole(service, 'member', EDITOR)
    await waitForPreview(page)
    await getEditor(page).getByText('extends').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'template-editor')
    await page.getByLabel('Preview for part').fill('flux')
    await page.getByRole('option', { name: /Flux capacitor/ }).click()
    await page.waitForURL(new RegExp(`object=${part}`))
    await replaceText(page, '<p>\n')
    await page.keyboard.type('{{ par')
    const completions = page.getByRole('listbox', { name: 'Completions' })
    await completions.locator('.cm-completionLabel').getByText('part', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('.IP')
    await completions.locator('.cm-completionLabel').getByText('IPN', { exact: true }).waitFor()
    await capturePage(page, 'template-completion')
    await page.keyboard.press('Enter')
    await page.keyboard.type(' | shou')
    await page.keyboard.type('t }}')
    const alert = page.getByRole('alert').getByText('Line 2: The filter "shout" does not exist.')
    await alert.waitFor()
    await page.locator('.cm-lintRange-error').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'template-error')
    for (let index = 0; index < ' | shout }}'.length; index++) await page.keyboard.press('Backspace')
    await page.keyboard.type(' }}')
    await alert.waitFor({ state: 'detached' })
    await page.getByText('Unsaved changes').waitFor()
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Part label saved').waitFor()
    assert.equal((await readText(1)).trim(), '<p>\n{{ part.IPN }}')
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
    await page.getByText('Modified', { exact: true }).waitFor()
    // letters are text, and not commands of the page
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  it('lists the variables of the kind, and inserts them, a QR code and the logo', async () => {
    await resetLabel()
    const page = await openConsole(service, 'member', EDITOR)
    await waitForPreview(page)
    await replaceText(page, '<p>')
    await page.getByText('Variables, QR code and logo').click()
    await assertAccessible(page)
    await page.getByText('The address of its page, for a QR code that any phone opens.').waitFor()
    await page.getByText('part', { exact: true }).click()
    await page.getByRole('button', { name: 'Insert part.name', exact: true }).click()
    await page.getByRole('button', { name: 'Insert QR code', exact: true }).click()
    await page.getByRole('button', { name: 'Insert Logo of this installation', exact: true }).click()
    await page.getByRole('button', { name: 'Insert IPN', exact: true }).click()
    // a text expander writes as fast as a scanner
    await scanCode(page, 'Rev. {{ revision }}', undefined)
    await waitForPreview(page)
    await assertAccessible(page)
    await capturePage(page, 'template-variables')
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Part label saved').waitFor()
    const text = await readText(1)
    assert.ok(text.startsWith('<p>{{ part.name }}<img src="{{ qr_data | qrcode }}"'), text)
    assert.ok(text.trimEnd().endsWith('{% endif %}{{ IPN }}Rev. {{ revision }}'), text)
    assert.equal(await page.getByRole('alert').getByText('Line 1').count(), 0)
  })

  it('changes the size, file name and filters, and shows a rejected value at its field', async () => {
    await resetLabel()
    const page = await openConsole(service, 'member', EDITOR)
    await waitForPreview(page)
    await page.getByRole('tab', { name: 'Details' }).click()
    const ratio = () =>
      page.locator('.template-preview img').evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight)
    await page.getByLabel('Width (mm)').fill('48')
    await waitUntil(async () => Math.abs((await ratio()) - 2) < 0.05, 'the preview has the old size')
    await page.getByLabel('File name').fill('{{ part.IPN }}.pdf')
    await page.getByText('Save as SAMPLE-1.pdf').waitFor()
    await page.getByLabel('Filters').fill('colour=red')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('has no field colour').waitFor()
    assert.equal((await readLabel()).width, '70.000')
    await assertAccessible(page)
    await capturePage(page, 'template-details')
    await page.getByLabel('Filters').fill('active=true')
    await page.keyboard.press('Enter')
    await page.getByText('Part label saved').waitFor()
    const { width, filename_pattern, filters, label } = await readLabel()
    assert.deepEqual([width, filename_pattern, filters, label], ['48.000', '{{ part.IPN }}.pdf', 'active=true', BUILT_IN_FILE])
    await superuser.patch('/api/label/part/1/', { filters: '' })
    await resetLabel()
  })

  it('asks before it discards unsaved changes', async () => {
    const page = await openConsole(service, 'member', EDITOR)
    await waitForPreview(page)
    await replaceText(page, 'Unsaved')
    await page.getByText('Unsaved changes').waitFor()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Assets' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await getEditor(page).getByText('Unsaved').waitFor()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Assets' }).click()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('heading', { name: 'Assets' }).waitFor()
    assert.equal((await readLabel()).label, BUILT_IN_FILE)
  })

  it('keeps unsaved text when someone else saved first', async () => {
    const page = await openConsole(service, 'member', EDITOR)
    await waitForPreview(page)
    await replaceText(page, 'My version')
    await superuser.patch('/api/label/part/1/', { label: toDataUri('Other version'), height: 30 })
    await page.keyboard.press('ControlOrMeta+s')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Other version').first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'template-conflict')
    await page.keyboard.press('Escape')
    await getEditor(page).getByText('My version').waitFor()
    assert.equal(await readText(1), 'Other version')
    await page.keyboard.press('ControlOrMeta+s')
    await dialog.getByRole('button', { name: 'Keep my version' }).click()
    await page.getByText('Part label saved').waitFor()
    const { height } = await readLabel()
    assert.deepEqual([await readText(1), height], ['My version', '30.000'])
    await replaceText(page, 'Mine again')
    await superuser.patch('/api/label/part/1/', { label: toDataUri('Theirs again') })
    await page.keyboard.press('ControlOrMeta+s')
    await dialog.getByRole('button', { name: 'Use the other version' }).click()
    await getEditor(page).getByText('Theirs again').waitFor()
  })

  it('resets a changed template to the shipped one', async () => {
    await superuser.patch('/api/label/part/1/', { label: toDataUri('Changed text') })
    const page = await openConsole(service, 'member', EDITOR)
    await getEditor(page).getByText('Changed text').waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('dialog', { name: 'Reset Part label?' }).getByRole('button', { name: 'Reset' }).click()
    await getEditor(page).getByText('extends').waitFor()
    assert.equal((await readLabel()).label, BUILT_IN_FILE)
  })

  it('shows a report as its pages, in German on a phone, and rejects a text with an error', async () => {
    const page = await openConsole(service, 'member', '/settings/templates/report-bom/1/', {
      locale: 'de-DE',
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('tab', { name: 'Vorschau' }).click()
    await page.getByRole('img', { name: /^Seite 1 von/ }).waitFor()
    await waitForPreview(page)
    await assertAccessible(page)
    await capturePage(page, 'template-phone-german')
    await page.getByRole('tab', { name: 'Quelltext' }).click()
    const editor = page.getByRole('textbox', { name: 'Quelltext der Vorlage' })
    await editor.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('{{ part.name')
    await page.keyboard.press('ControlOrMeta+s')
    await page.locator('main .problem').waitFor()
    assert.match((await service.rows('select template from bom_report where pk = 1'))[0].template, /^report\/inventree\//)
    await editor.getByText('part').waitFor()
  })

  it('is read-only without the permission to change', async () => {
    const page = await openConsole(service, 'viewer', EDITOR)
    await page.getByText('To change it, you need Change permission').waitFor()
    await getEditor(page).click()
    await page.keyboard.type('x')
    assert.equal(await page.getByText('Unsaved changes').count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 0)
    await assertAccessible(page)
  })

  it('is not for accounts that may view nothing of what is printed', async () => {
    const page = await openConsole(service, 'nobody', '/settings/templates/')
    await page.getByText('requires View permission for parts').waitFor()
    await assertAccessible(page)
  })
})

describe('assets and snippets', { skip: cannotBrowse }, () => {
  const createPicture = () =>
    sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer()

  it('are added, shown with their uses, renamed and deleted', async () => {
    const page = await openConsole(service, 'member', '/settings/templates/assets/')
    await page.getByText('No assets yet').waitFor()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add asset' }).click()
    await (await choosing).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await createPicture() })
    const row = page.getByRole('row').filter({ hasText: 'logo.png' })
    await row.waitFor()
    await row.getByText('Not used').waitFor()
    const text = `<img src="{{ 'logo.png' | asset }}">`
    const { body: user } = await member.post('/api/label/part/', { name: 'With logo', label: toDataUri(text) })
    await page.reload()
    await row.getByRole('link', { name: 'With logo' }).waitFor()
    await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.library-file img')?.naturalWidth ?? 0) > 0)
    await assertAccessible(page)
    await capturePage(page, 'assets')
    await page.getByRole('button', { name: 'Edit logo.png' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('a/b.png')
    await page.keyboard.press('Enter')
    await dialog.getByText('no slashes').waitFor()
    await dialog.getByLabel('Name').fill('brand.png')
    await dialog.getByLabel('Description').fill('Our logo')
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: 'Our logo' }).getByText('Not used').waitFor()
    assert.deepEqual(await service.rows('select filename, description from report_asset'), [
      { filename: 'brand.png', description: 'Our logo' },
    ])
    await member.patch(`/api/label/part/${user.pk}/`, { label: toDataUri(text.replace('logo', 'brand')) })
    await page.reload()
    await page.getByRole('button', { name: 'Delete brand.png' }).click()
    await dialog.getByText('cannot be printed without it').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No assets yet').waitFor()
    assert.deepEqual(await service.rows('select from report_asset'), [])
  })

  it('snippets show their text, and reject one that is not a template', async () => {
    const page = await openConsole(service, 'member', '/settings/templates/snippets/')
    const add = async (name: string, text: string) => {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Add snippet' }).click()
      await (await choosing).setFiles({ name, mimeType: 'text/html', buffer: Buffer.from(text) })
    }
    await add('broken.html', '{% if x %}')
    await page.getByText(/^broken\.html:.*line 1/).waitFor()
    await add('footer.html', '<p>Kind regards</p>')
    await page.getByRole('button', { name: 'footer.html', exact: true }).click()
    await page.getByRole('dialog', { name: 'footer.html' }).getByText('<p>Kind regards</p>').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'snippet')
    assert.deepEqual(await service.rows('select filename from report_snippet'), [{ filename: 'footer.html' }])
  })

  it('cannot be changed without the permission to change anything', async () => {
    const page = await openConsole(service, 'viewer', '/settings/templates/assets/')
    await page.getByText('To change them, you need Change permission').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add asset' }).count(), 0)
    await assertAccessible(page)
  })
})
