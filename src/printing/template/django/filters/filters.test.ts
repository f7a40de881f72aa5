import { describe, it } from 'node:test'
import { testService } from '../../../../testing/service.ts'
import { scaleTimeout } from '../../../../testing/slowness.ts'
import { createTemplateHelpers } from '../test-environment.ts'

const { assertOutputs } = createTemplateHelpers(await testService())

describe('filters of a template in Django syntax', () => {
  it('process strings', () =>
    assertOutputs({
      '{{ "joe o\'brien 3rd"|title }}|{{ "ab"|upper }}|{{ "AB"|lower }}|{{ "ab c"|capfirst }}': "Joe O'brien 3rd|AB|ab|Ab c",
      '{{ "abcdef"|truncatechars:4 }}|{{ "a b c d"|truncatewords:2 }}|{{ "ab"|truncatechars:4 }}': 'abc…|a b …|ab',
      '{{ "abc"|slice:":2" }}|{{ "abc"|slice:"-2:" }}|{{ "abc"|first }}{{ "abc"|last }}|{{ "abc"|length }}': 'ab|bc|ac|3',
      '|{{ "a"|center:"5" }}|{{ "a"|ljust:3 }}|{{ "a"|rjust:3 }}|': '|  a  |a  |  a|',
      '{{ "<p>Hi</p>"|striptags }}|{{ "a b"|cut:" " }}|{{ "a\'b"|addslashes }}': "Hi|ab|a\\'b",
      '{{ evil|linebreaks }}|{{ "a<br>"|linebreaksbr }}': '<p>&lt;b&gt;&#34;&amp;&#39;</p>|a<br>',
      '{{ evil|safe }}|{{ evil|escape }}|{{ evil|escape|safe }}|{{ evil|force_escape|force_escape|length }}':
        '<b>"&\'|&lt;b&gt;&#34;&amp;&#39;|&lt;b&gt;&#34;&amp;&#39;|44',
      '{{ evil|upper }}|{{ evil|safe|upper }}|{{ evil|add:"x" }}': '&lt;B&gt;&#34;&amp;&#39;|<B>"&\'|&lt;b&gt;&#34;&amp;&#39;x',
      '{{ "a b/ü&"|urlencode }}|{{ "a/b"|urlencode:"" }}|{{ "Größe 3!"|slugify }}': 'a%20b/%C3%BC%26|a%2Fb|groe-3',
      '{{ "a b c"|wordcount }}|{{ "aa bb cc"|wordwrap:5 }}|{{ 3|stringformat:"03d" }}|{{ 3.14159|stringformat:".2f" }}|{{ "x"|stringformat:"-3s" }}|':
        '3|aa bb\ncc|003|3.14|x  |',
      '{{ "*a* **b** <i>"|markdownify }}': '<p><em>a</em> <strong>b</strong> &lt;i&gt;</p>',
      '{{ "see http://a.test/<x"|urlize }}': 'see <a href="http://a.test/">http://a.test/</a><x',
      '{{ "</script>"|escapejs }}': '\\u003C/script\\u003E',
    }))

  it('process HTML in linear time, not quadratic', { timeout: scaleTimeout(20_000) }, () =>
    assertOutputs(
      {
        '{{ a_space|truncatewords_html:3|length }} {{ a_begin|truncatewords_html:3|length }} {{ an_end|truncatechars_html:3|slice:"-5:" }}':
          '300000 300000 i>ab…',
        '{{ "a</b> <i>b c</i>"|truncatewords_html:2 }}': 'a</b> <i>b …</i>',
      },
      {
        extra: () => ({
          a_space: ' '.repeat(300_000),
          a_begin: '<b>'.repeat(100_000),
          an_end: `${'</i>'.repeat(100_000)}abcde`,
        }),
      },
    ),
  )

  it('process numbers', () =>
    assertOutputs({
      '{{ 34.23234|floatformat }}|{{ 34.00|floatformat }}|{{ 34.26|floatformat:3 }}|{{ 34.00|floatformat:"-3" }}|{{ 39.56|floatformat:0 }}':
        '34.2|34|34.260|34|40',
      '{{ 1234567.891|floatformat:"2g" }}|{{ "x"|floatformat }}|{{ "12345678901234.12345"|floatformat:5 }}':
        '1,234,567.89||12345678901234.12345',
      '{{ 1|add:2 }}|{{ "a"|add:"b" }}|{{ names|add:names|join:"" }}|{{ half|add:"0.25" }}': '3|ab|abcabc|2.75',
      '{{ 21|divisibleby:"7" }}|{{ 1|pluralize }}|{{ 2|pluralize }}|{{ names|pluralize:"y,ies" }}': 'True||s|ies',
      '{{ True|yesno:"a,b,c" }}{{ none|yesno:"a,b,c" }}{{ zero|yesno }}': 'acno',
      '{{ 123456789|filesizeformat }}|{{ 5|filesizeformat }}|{{ 123|get_digit:2 }}': '117.7 MB|5 bytes|2',
    }))

  it('process lists and absent values', () =>
    assertOutputs({
      '{{ names|join:"<br>" }}|{{ names|first }}{{ names|last }}|{{ names|slice:"1:"|join:"" }}|{{ names|length }}':
        'a<br>b<br>c|ac|bc|3',
      '{% for r in rows|dictsort:"size" %}{{ r.pk }}{% endfor %}{% for r in rows|dictsortreversed:"size" %}{{ r.pk }}{% endfor %}':
        '231132',
      '{{ empty|default:"-" }}{{ none|default_if_none:"n" }}{{ missing|default_if_none:"n" }}{{ zero|default:names.0 }}': '-na',
      '{{ nested.deep.list.0.name }}|{{ names.1 }}|{{ rows.count }}|{{ rows.all.first.kind }}|{{ rows.last.pk }}':
        'found|b|3|x|3',
      '{{ names|unordered_list }}': '<li>a</li><li>b</li><li>c</li>',
      '{{ True }} {{ none }} {{ missing.x }} {{ 2.50 }}': 'True   2.5',
    }))

  it('process dates', () =>
    assertOutputs({
      '{{ day|date:"d.m.Y" }}|{{ day|date }}|{{ moment|date:"D jS F y, H:i" }}|{{ moment|time }}':
        '02.03.2026|March 2, 2026|Mon 2nd March 26, 15:05|3:05 p.m.',
      '{{ moment|date:"N W z t L c" }}|{{ day|date:"\\\\d\\\\a\\\\y d" }}|{{ "x"|date:"Y" }}':
        'March 10 61 31 False 2026-03-02T15:05:00+00:00|day 02|',
      '{{ day|timesince:moment }}|{{ moment|timeuntil:day }}': '15 hours, 5 minutes|15 hours, 5 minutes',
      '{{ date.isoformat|length }}|{{ date.year|length }}|{{ day|date:"SHORT_DATE_FORMAT" }}': '10|0|03/02/2026',
    }))
})
