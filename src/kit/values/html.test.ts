import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureProcessorTime } from '../../testing/timing.ts'
import { containsHtml } from './html.ts'

test('detects HTML and accepts ordinary texts', () => {
  for (const text of [
    '<b>bold</b>',
    'before <script>alert(1)</script>',
    '<script',
    'x<SCRIPT src=//evil',
    '<script\n',
    '<img src=x onerror=alert(1)',
    '<img/src=x/onerror=alert(1)//',
    '<svg/onload=alert(1)',
    '<svg',
    '<x onclick = alert(1)',
    '<a href="javascript:alert(1)"',
    '<a\nhref=//evil',
    '<b style=position:fixed',
    '<body onload=alert(1)',
    '<form action=//evil',
    '<iframe src="//evil',
    '<!-- everything that follows',
    '<!doctype html',
    '<![CDATA[',
    '<?php echo 1',
    '</div',
    '<style',
    '<plaintext',
    'a <b> c',
    '<!>',
  ])
    assert.ok(containsHtml(text), text)
  for (const text of [
    '',
    'a < b',
    'a<b',
    'I <3 it',
    '<3',
    'x<5mm',
    'x<y',
    '<=5 V',
    '<-- here',
    '<<<',
    '1 < 2 and 3 > 2',
    'R < 10 Ohm, C > 5 nF',
    'n<max',
    'x<y and z = 3',
    'if a<b one = 1',
    'less <than',
    'T<sub',
    'a <',
    '5 <> 6',
    '> quoted',
    'see <',
    '&lt;script&gt;',
    'script',
    'src=x onerror=1',
  ])
    assert.ok(!containsHtml(text), text)
})

test('checks long texts of any kind fast', async () => {
  for (const part of [
    '<',
    '<a ',
    '<a onabc ',
    '<a on',
    '</',
    '<script ',
    '<a /onclick',
    '<!-',
    '<a href',
    ' ',
    '"',
    '<x onclick   ',
  ])
    for (const text of [part.repeat(100_000), `<a ${part.repeat(100_000)}`]) {
      assert.ok((await measureProcessorTime(() => containsHtml(text))) < 2_000, `${part} takes too long`)
    }
})
