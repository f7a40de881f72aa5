import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderDocument } from './render.ts'

const targets = {
  getUrl: (path: string) => ({ 'guides/buying.md': '/docs/buying/', 'errors.md': '/docs/errors/' })[path],
  getImage: (path: string) =>
    path === 'images/receive.png' ? { url: '/docs/files/receive.png', width: 800, height: 500 } : undefined,
}
const render = (text: string) => renderDocument(`# Title\n\n${text}`, 'guides/start.md', targets)

describe('a rendered document', () => {
  it('has a title, a summary, its headings and the text of its sections', () => {
    const { title, summary, headings, sections } = render(
      'Some *words*\non two lines.\n\n## First `step`\n\nOne.\n\n### Detail\n\n```sh\nnpm  ci\n```\n',
    )
    assert.equal(title, 'Title')
    assert.equal(summary, 'Some words on two lines.')
    assert.deepEqual(headings, [{ id: 'first-step', text: 'First step' }])
    assert.deepEqual(sections, [
      { heading: 'Title', id: '', text: 'Some words on two lines.' },
      { heading: 'First step', id: 'first-step', text: 'One.' },
      { heading: 'Detail', id: 'detail', text: 'npm ci' },
    ])
  })

  it('is rejected without a title', () => {
    assert.throws(
      () => renderDocument('Text.\n', 'guides/start.md', targets),
      /^Error: docs\/guides\/start.md does not begin with a title$/,
    )
  })

  it('has anchors of repositories, numbered if they repeat', () => {
    const { html } = render('## Can’t build, 50 % left?\n\n## Same\n\n## Same\n\n## Größe_mm\n')
    assert.deepEqual(
      [...html.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id),
      ['cant-build-50--left', 'same', 'same-1', 'größe_mm'],
    )
  })

  it('links to other documents, to their sections, and to this service', () => {
    const { html } = render(
      '[a](buying.md) [b](../errors.md#codes) [c](#here) [d](https://example.org/x) <http://127.0.0.1:8000/api-doc/>\n',
    )
    assert.deepEqual(
      [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
      ['/docs/buying/', '/docs/errors/#codes', '#here', 'https://example.org/x', '/api-doc/'],
    )
  })

  it('shows links to what is not served, and images that do not exist, as text', () => {
    const { html } = render('See [the *code*](../../src/app.ts). ![A shelf](../images/none.png)\n')
    assert.match(html, /<p>See the <em>code<\/em>. A shelf<\/p>/)
  })

  it('shows images in their size', () => {
    const { html } = render('![Receiving](../images/receive.png)\n')
    assert.match(html, /<img src="\/docs\/files\/receive.png" alt="Receiving" width="800" height="500" loading="lazy">/)
  })

  it('has anchors in texts', () => {
    const { html, summary } = render('<a id="native"></a>With texts.\n')
    assert.match(html, /<p><a id="native"><\/a>With texts.<\/p>/)
    assert.equal(summary, 'With texts.')
  })

  it('shows other HTML as text, and no comments', () => {
    const { html } = render('<!-- made from the code -->\nA <script>alert(1)</script>\n<!-- end -->\n')
    assert.match(html, /<p>A &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/p>/)
    assert.ok(!html.includes('made from'))
  })

  it('aligns columns without style attributes, and lets wide tables scroll', () => {
    const { html } = render('| A | B |\n|---|--:|\n| 1 | 2 |\n')
    assert.match(html, /<div class="table" tabindex="0"><table>/)
    assert.match(html, /<td class="align-right">2<\/td>/)
    assert.ok(!html.includes('style='))
  })

  it('names the columns in the cells of a table that has many', () => {
    const { html } = render('| A | B | `C` | D |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |\n')
    assert.match(html, /<div class="table many-columns" tabindex="0">/)
    assert.deepEqual(
      [...html.matchAll(/<td data-column="([^"]*)"/g)].map(([, name]) => name),
      ['A', 'B', 'C', 'D'],
    )
  })
})
