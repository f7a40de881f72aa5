import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { looksLikeDate } from './date-text.ts'

describe('looksLikeDate', () => {
  for (const text of [
    '1/5/26',
    '05.01.2026',
    '2026-01-05',
    '5-Jan',
    'Jan-26',
    '5. Jan',
    '05. Mär',
    '2-mars',
    '5-ene',
    '12. März 2026',
    'Mar 2, 2026',
    '1月5日',
    '3:20',
    '1:30 PM',
    '2026-01-05 00:00',
    '02.sty',
    '5. 1. 2026',
    'MAY 5',
  ])
    it(`recognizes ${text}`, () => assert.equal(looksLikeDate(text), true))
  for (const text of [
    'R1',
    'R1, R2',
    '1-5',
    '12.05',
    '5',
    '3/4',
    'MAR-2B',
    'may',
    'Jan',
    'A-1-5',
    '10:1',
    '1.2.3.4',
    '74HC00',
    'M3x8',
    '0603',
    'March 1 2 3',
    '192.168.1.1',
    '',
  ])
    it(`does not recognize ${text}`, () => assert.equal(looksLikeDate(text), false))
})
