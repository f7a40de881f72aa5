import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scaleTimeout } from '../testing/slowness.ts'
import { groupByStyles, renderDocument } from './document.ts'
import { parseItem } from './item.ts'

const pages = { width: 50, height: 20, isLabel: true }

describe('itemOf', () => {
  it('separates the styles of a page from its body', () => {
    const html =
      '<!DOCTYPE html><html><head><title>T</title><STYLE type="text/css">a {}</STYLE></head><body class="x">B<style>b {}</style>C</body></html>'
    assert.deepEqual(parseItem(html), { styles: ['a {}', 'b {}'], attributes: ' class="x"', body: 'BC' })
    assert.deepEqual(parseItem('<p>only a body</p>'), { styles: [], attributes: '', body: '<p>only a body</p>' })
    assert.deepEqual(parseItem('<header>kept</header><!-- <style>no</style> -->'), {
      styles: [],
      attributes: '',
      body: '<header>kept</header>',
    })
  })

  it('is fast for unclosed tags and comments', () => {
    const began = performance.now()
    for (const opened of ['<style>', '<body', '<head>', '<!--', '<style', '</style', '<html', '</head>'])
      parseItem(opened.repeat(2_000_000 / opened.length))
    assert.ok(performance.now() - began < scaleTimeout(5_000))
    assert.deepEqual(parseItem('a<style>b'), { styles: ['b'], attributes: '', body: 'a' })
  })
})

describe('together', () => {
  const item = (body: string, css: string) => parseItem(`<style>${css}</style>${body}`)
  const bodies = (maxGroupSize?: number, ...items: ReturnType<typeof item>[]) =>
    groupByStyles(items, maxGroupSize).map((group) => group.map(({ body }) => body).join(''))

  it('groups neighbors with the same styles into one document, up to its limit', () => {
    const [a, b, c] = [item('a', 'x {}'), item('b', 'x {}'), item('c', 'y {}')]
    assert.deepEqual(bodies(undefined, a, b, c, a), ['ab', 'c', 'a'])
    assert.deepEqual(bodies(2, a, b, a), ['ab', 'a'])
    assert.deepEqual(groupByStyles([]), [])
  })
})

describe('documentOf', () => {
  it('names the typefaces that its text needs', () => {
    const faces = (text: string) =>
      ['Noto Sans Variable', 'Noto Sans Arabic Variable', 'Noto Sans SC Variable'].filter((face) =>
        renderDocument([parseItem(text)], pages).includes(`font-family: '${face}';`),
      )
    assert.deepEqual(faces('Größe'), ['Noto Sans Variable'])
    assert.deepEqual(faces('مقاومة'), ['Noto Sans Variable', 'Noto Sans Arabic Variable'])
    assert.deepEqual(faces('贴片'), ['Noto Sans Variable', 'Noto Sans SC Variable'])
  })
})
