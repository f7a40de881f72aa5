import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService()

const NOTES = `# On receipt
Weigh it, **twice**
then to _Shelf A_

1. open
   - the *long* side first
2. ~~shake~~ count

| Lot | Good |
|-----|-----:|
| 7   | 12   |

![the label](https://old.example/media/notes/label.png) ![elsewhere](https://else.example/a.png)
[the sheet](https://maker.example/sheet.pdf) [no way](javascript:alert(1)) <img src=x onerror=alert(1)>

\`\`\`
M3 <8 mm>
\`\`\``

describe('notes', { skip: cannotBrowse }, () => {
  it('are rendered as Markdown, without running anything or loading anything from another host', async () => {
    const { body } = await service.superuser.post('/api/company/', { name: 'Alpine Fasteners' })
    // as an import writes it: the API rejects HTML in notes
    await service.rows('update company set notes = $1 where pk = $2', [NOTES, body.pk])
    const page = await openConsole(service, 'superuser', `/company/${body.pk}/`)
    const notes = page.locator('.notes-read')
    await notes.waitFor()
    assert.deepEqual(await notes.locator('strong, em, s').allInnerTexts(), ['twice', 'Shelf A', 'long', 'shake'])
    assert.equal(await notes.locator('.notes-heading').innerText(), 'On receipt')
    assert.equal(await notes.locator('ol > li > ul > li').innerText(), 'the long side first')
    assert.equal(await notes.locator('pre').innerText(), 'M3 <8 mm>\n')
    assert.equal(
      await notes
        .locator('td')
        .last()
        .evaluate((cell) => getComputedStyle(cell).textAlign),
      'right',
    )
    const readAttributes = (selector: string, name: string) =>
      notes.locator(selector).evaluateAll((elements, name) => elements.map((element) => element.getAttribute(name)), name)
    assert.deepEqual(await readAttributes('img', 'src'), ['/media/notes/label.png'])
    assert.deepEqual(await readAttributes('a', 'href'), ['https://else.example/a.png', 'https://maker.example/sheet.pdf'])
    assert.match(await notes.innerText(), /\[no way\]\(javascript:alert\(1\)\) <img src=x onerror=alert\(1\)>/)
    await assertAccessible(page)
    await capturePage(page, 'notes')
  })
})
