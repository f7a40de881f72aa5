import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortClosestFirst } from './closest-first.ts'

test('exact matches come first, then prefixes, then other matches in the name', () => {
  const rows = ['Store/Shelf A', 'Store/Shelf B', 'Store/Shelf C2', 'Old Shelf C', 'Store/Shelf C', 'Shelf C/Box']
  const sortRows = (typed: string) => sortClosestFirst(rows, (name) => name, typed)
  assert.deepEqual(sortRows('shelf c '), [
    'Store/Shelf C',
    'Store/Shelf C2',
    'Shelf C/Box',
    'Old Shelf C',
    'Store/Shelf A',
    'Store/Shelf B',
  ])
  assert.deepEqual(sortRows(''), rows)
})

test('names with a word that begins with the typed text come before those that contain it within a word', () => {
  const rows = [
    'LED RGB, addressable',
    'Cover (cores)',
    'R-10K-0603 | Resistor 10 kΩ',
    'Pressure res',
    'Ölresistent',
    'Nothing',
    'Reset',
  ]
  assert.deepEqual(
    sortClosestFirst(rows, (name) => name, 'res'),
    ['Reset', 'R-10K-0603 | Resistor 10 kΩ', 'Pressure res', 'LED RGB, addressable', 'Cover (cores)', 'Ölresistent', 'Nothing'],
  )
})

test('among matches of a path, one whose own name is the last word comes first', () => {
  const rows = ['Store/Shelf A/13', 'Store/Shelf A/3', 'Store/Shelf A/30']
  assert.deepEqual(
    sortClosestFirst(rows, (name) => name, 'shelf a 3'),
    ['Store/Shelf A/3', 'Store/Shelf A/13', 'Store/Shelf A/30'],
  )
})

test('a name matches the typed text in any Unicode form of its characters', () => {
  const rows = ['10 uF case', 'Cap 10\u00b5F', '1\u00d72']
  for (const typed of ['cap 10uf', 'CAP 10\u03bcF', 'Ｃａｐ 10µF'])
    assert.equal(sortClosestFirst(rows, (name) => name, typed)[0], 'Cap 10\u00b5F', typed)
  assert.equal(sortClosestFirst(rows, (name) => name, '1x2')[0], '1\u00d72')
})
