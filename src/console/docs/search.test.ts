import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type SearchSection, searchSections } from './search.ts'

const createSection = (heading: string, text: string, page = 'Page'): SearchSection => ({
  url: `#${heading}`,
  page,
  heading,
  text,
})

const sections = [
  createSection('Start', 'Set ADMIN_PASSWORD to choose the password of the first account.'),
  createSection('Receive goods', 'Select the order and enter what arrived.'),
  createSection('Orders', 'An order that was issued can receive goods, in one or in several deliveries.', 'Buying'),
]
const find = (query: string) => searchSections(sections, query).map(({ section }) => section.heading)

describe('the search of the guides', () => {
  it('finds sections that contain all words, in any case, those with a word in the heading first', () => {
    assert.deepEqual(find('receive'), ['Receive goods', 'Orders'])
    assert.deepEqual(find('GOODS order'), ['Orders', 'Receive goods'])
    assert.deepEqual(find('receive password'), [])
  })

  it('finds parts of names, and treats special characters literally', () => {
    assert.deepEqual(find('password'), ['Start'])
    assert.deepEqual(find('admin_p'), ['Start'])
    assert.deepEqual(find('.*'), [])
  })

  it('finds the sections of a page by its title', () => {
    assert.deepEqual(find('buying'), ['Orders'])
  })

  it('finds nothing for an empty query', () => {
    assert.deepEqual(find('  '), [])
  })

  it('shows the text around the match, from a whole word on', () => {
    const text = `${'before '.repeat(30)}needle ${'after '.repeat(60)}`
    const [result] = searchSections([createSection('Heading', text)], 'needle')
    assert.match(String(result?.excerpt), /^… before before .*needle after .* …$/)
    assert.ok(String(result?.excerpt).length < 150)
  })
})
