import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRegularExpressionError } from './regular-expression.ts'

test('ordinary expressions are allowed', () => {
  const ordinary = [
    '',
    '^R\\d{3}-\\w+$',
    '(?i)^(red|green) led$',
    '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '^(?!.*obsolete)(?=.*M3).{0,255}$',
    '.{0,255}x.{0,255}y.{0,255}',
    '[](1]{5}[[:alpha:]\\]()]',
    '\\\\1\\012',
    '(?#{255}(\\)x',
    '(',
    '[a',
    'a{2,1}',
    '\\',
    ')'.repeat(500),
  ]
  for (const expression of ordinary) assert.equal(findRegularExpressionError(expression), undefined, expression)
})

test('expressions that are too slow for PostgreSQL, or use another syntax, are rejected', () => {
  const rejections: [RegExp, string[]][] = [
    [/500 characters/, ['a'.repeat(501)]],
    [/back references/, ['(a)\\1', '(a*)*\\9b', '[\\\\](x)\\1', '(?#\\)(x)\\1', '\\\\\\1']],
    [/inside another/, ['(?=a(?!b))', '(?<=(a(?=b)))', '(?!(?:x(?<!y)))']],
    [
      /1000 characters/,
      [
        '((a{1,100}){1,100}){1,5}',
        '(a{255}){5}',
        '(a{255}b{255}c{255}d{255})',
        '(a{1,11}){100,}',
        '(?:[[:alpha:]]{0,50}){50}',
        '(a{50}(?#)){50}',
        '(a{50})(?#(){50}',
        '([]a]{50}){50}',
        '(x(a{50})y){50}',
      ],
    ],
    [/syntax/, ['***=a', '***:(a)', '(?b)\\(a\\)', '(?ix)a', '(?q)(', '(?e)a']],
  ]
  for (const [reason, expressions] of rejections)
    for (const expression of expressions)
      assert.match(findRegularExpressionError(expression)?.message ?? 'accepted', reason, expression)
})
