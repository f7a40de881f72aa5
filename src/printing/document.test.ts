import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scaleTimeout } from '../testing/slowness.ts'
import { groupByStyles, renderDocument } from './document.ts'
import { parseItem } from './item.ts'

const pageLayout = { width: 50, height: 20, isLabel: true }

describe('parseItem', () => {
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
    const startTime = performance.now()
    for (const openTag of ['<style>', '<body', '<head>', '<!--', '<style', '</style', '<html', '</head>'])
      parseItem(openTag.repeat(2_000_000 / openTag.length))
    assert.ok(performance.now() - startTime < scaleTimeout(5_000))
    assert.deepEqual(parseItem('a<style>b'), { styles: ['b'], attributes: '', body: 'a' })
  })
})

describe('groupByStyles', () => {
  const createItem = (body: string, css: string) => parseItem(`<style>${css}</style>${body}`)
  const groupBodies = (maxGroupSize?: number, ...items: ReturnType<typeof createItem>[]) =>
    groupByStyles(items, maxGroupSize).map((group) => group.map(({ body }) => body).join(''))

  it('groups neighbors with the same styles into one document, up to its limit', () => {
    const [a, b, c] = [createItem('a', 'x {}'), createItem('b', 'x {}'), createItem('c', 'y {}')]
    assert.deepEqual(groupBodies(undefined, a, b, c, a), ['ab', 'c', 'a'])
    assert.deepEqual(groupBodies(2, a, b, a), ['ab', 'a'])
    assert.deepEqual(groupByStyles([]), [])
  })
})

describe('renderDocument', () => {
  it('names the typefaces that its text needs', () => {
    const listFaces = (text: string) =>
      ['Noto Sans Variable', 'Noto Sans Arabic Variable', 'Noto Sans SC Variable'].filter((face) =>
        renderDocument([parseItem(text)], pageLayout).includes(`font-family: '${face}';`),
      )
    assert.deepEqual(listFaces('Größe'), ['Noto Sans Variable'])
    assert.deepEqual(listFaces('مقاومة'), ['Noto Sans Variable', 'Noto Sans Arabic Variable'])
    assert.deepEqual(listFaces('贴片'), ['Noto Sans Variable', 'Noto Sans SC Variable'])
  })
})
