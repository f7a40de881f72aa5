import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { definePlugin } from '../plugin-api/index.ts'
import { describePlugin } from './hooks.ts'
import { readManifest } from './manifest.ts'
import { PluginFailure } from './running.ts'

const minimalPlugin = { slug: 'tried', name: 'Tried', version: '1.0.0' }
const loadManifest = (plugin: object) => readManifest(describePlugin(plugin).manifestData)
const withSetting = (definition: object) => ({ settings: { A_KEY: { name: 'A key', description: '', ...definition } } })

/** Returns the error of a minimal plugin with these additions. */
function getLoadError(plugin: object): string {
  try {
    loadManifest({ ...minimalPlugin, ...plugin })
  } catch (error) {
    if (error instanceof PluginFailure) assert.equal(error.stage, 'load')
    return (error as Error).message
  }
  return assert.fail('the manifest is valid')
}

describe('The manifest of a plugin', () => {
  test("has the plugin's description of itself, with defaults for missing values", () => {
    assert.deepEqual(loadManifest(definePlugin(minimalPlugin)), {
      ...minimalPlugin,
      title: 'Tried',
      description: '',
      author: '',
      website: null,
      license: null,
      published: '',
      settings: {},
      userSettings: {},
      mixins: [],
      schedule: {},
      actions: [],
      machineDrivers: {},
      events: undefined,
      hooks: [],
    })
    const fullPlugin = definePlugin({
      ...minimalPlugin,
      title: 'A title',
      version: '1.20.3-beta.1+build',
      description: 'Two\n  lines',
      author: 'Someone',
      website: 'https://example.com/plugin',
      license: 'MIT',
      published: '2026-02-28',
      minVersion: '0.1.0',
      maxVersion: '2.0.0',
      settings: {
        ON: { type: 'boolean', name: 'On', description: 'Whether', default: true, required: true },
        COUNT: { type: 'integer', name: 'Count', description: '', default: 3, min: 1, max: 5, units: 'days' },
        TEXT: { type: 'string', name: 'Text', description: '', default: 'a\nb', protected: true },
        KIND: { type: 'choice', name: 'Kind', description: '', default: 'b', choices: [{ value: 'b', display_name: 'B' }] },
        COMPANY: { type: 'model', name: 'Company', description: '', model: 'company.company', apiUrl: '/api/company/' },
      },
      start() {},
      events: { names: ['purchaseorder.placed'], handle() {} },
      validation: { part: () => undefined, batchCode: () => undefined },
      schedule: { nightly: { everyMinutes: 60, run() {} } },
      actions: { count: () => ({ result: 1 }) },
    })
    const manifest = loadManifest(fullPlugin)
    assert.deepEqual(manifest.settings, fullPlugin.settings)
    assert.deepEqual(manifest.mixins, ['events', 'validation', 'schedule', 'actions'])
    assert.deepEqual(manifest.hooks, [
      'start',
      'events.handle',
      'validation.part',
      'validation.batchCode',
      'schedule.nightly.run',
      'actions.count',
    ])
    assert.deepEqual(
      [manifest.schedule, manifest.actions, manifest.events, manifest.description, manifest.minVersion],
      [{ nightly: 60 }, ['count'], ['purchaseorder.placed'], 'Two lines', '0.1.0'],
    )
  })

  test('accepts methods of classes, with their objects', () => {
    class Finder {
      kind = 'part'
      scan() {
        return { kind: this.kind, pk: 1 }
      }
    }
    const { manifestData, hooks } = describePlugin({ ...minimalPlugin, barcode: new Finder() })
    assert.deepEqual(readManifest(manifestData).hooks, ['barcode.scan'])
    assert.deepEqual(hooks.get('barcode.scan')?.('x'), { kind: 'part', pk: 1 })
  })

  test('is rejected with an error message for each invalid value', () => {
    const driver = { name: 'One', type: 'label-printer', labels: 'pdf', print() {} }
    const invalidPlugins: [object, RegExp][] = [
      [{ machineDrivers: { UP: { ...driver } } }, /^its driver "UP" is not lower-case letters/],
      [
        { machineDrivers: { one: { ...driver, type: 'plotter' } } },
        /^its machineDrivers.one.type "plotter" is not label-printer/,
      ],
      [{ machineDrivers: { one: { ...driver, labels: 'svg' } } }, /^its machineDrivers.one.labels "svg" is not pdf or pictures/],
      [{ machineDrivers: { one: { ...driver, labels: 'pictures' } } }, /^its machineDrivers.one has no integer setting DPI/],
      [{ machineDrivers: { one: { ...driver, print: undefined } } }, /^its machineDrivers.one.print is not a function/],
      [{ slug: undefined }, /^its slug \(undefined\) is not lower-case letters/],
      [{ slug: 'a'.repeat(101) }, /^its slug "a{100}\.\.\." is not/],
      [{ slug: '-a' }, /^its slug/],
      [{ slug: 'a_b' }, /^its slug/],
      [{ slug: 'settings' }, /^its slug must not be settings/],
      [{ slug: '42' }, /^its slug must not consist of digits/],
      [{ name: ' ' }, /^its name is not one line of 1 to 100 characters/],
      [{ name: 'a\u0000b' }, /^its name/],
      [{ title: 5 }, /^its title/],
      [{ version: '1.0' }, /^its version "1.0" is not a semantic version/],
      [{ version: 'v1.0.0' }, /^its version/],
      [{ minVersion: 'x' }, /^its minVersion/],
      [{ description: 'x'.repeat(1_001) }, /^its description is not one line of at most 1000 characters/],
      [{ website: 'javascript:alert(1)' }, /^its website is not an http or https URL/],
      [{ published: '2026-02-30' }, /^its published 2026-02-30 is not a date/],
      [{ published: '1 May' }, /^its published "1 May" is not a day/],
      [{ settings: [] }, /^its settings is not an object/],
      [{ settings: { a_key: {} } }, /^its setting "a_key" is not upper-case letters/],
      [{ settings: JSON.parse('{"__proto__": {}}') }, /^its setting "__proto__"/],
      [
        { settings: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`A${i}`, {}])) },
        /^it has 201 settings; at most 200/,
      ],
      [withSetting({ type: 'date' }), /^its setting A_KEY: type is not boolean, integer/],
      [withSetting({ name: '', type: 'boolean' }), /^its setting A_KEY: name/],
      [withSetting({ type: 'boolean', default: 'yes' }), /^its setting A_KEY: default is not true or false/],
      [withSetting({ type: 'boolean', default: true, protected: 1 }), /^its setting A_KEY: protected is not true or false/],
      [withSetting({ type: 'integer', default: 1.5 }), /^its setting A_KEY: default is not a whole number/],
      [withSetting({ type: 'integer', default: 9, max: 5 }), /^its setting A_KEY: default is not a whole number from its min/],
      [withSetting({ type: 'integer', default: 9, min: '1' }), /^its setting A_KEY: min is not a whole number/],
      [withSetting({ type: 'string', default: 'x'.repeat(2_001) }), /^its setting A_KEY: default is not a text/],
      [withSetting({ type: 'choice', default: 'a', choices: [] }), /^its setting A_KEY: default is not one of its choices/],
      [withSetting({ type: 'choice', default: 'a', choices: 'a' }), /^its choices of setting A_KEY are not a list/],
      [withSetting({ type: 'model', model: 'Company', apiUrl: '/api/company/' }), /^its setting A_KEY: model/],
      [withSetting({ type: 'model', model: 'company', apiUrl: 'http://elsewhere/' }), /^its setting A_KEY: apiUrl/],
      [{ start: 1 }, /^its start is not a function/],
      [{ barcode: {} }, /^its barcode has no function; it can have scan, generate$/],
      [{ validation: {} }, /^its validation has no function; it can have part, serialNumber,/],
      [{ locate: null }, /^its locate is not an object/],
      [{ schedule: { nightly: { everyMinutes: 0, run() {} } } }, /^its schedule\.nightly\.everyMinutes is not a whole number/],
      [{ schedule: { nightly: { everyMinutes: 5 } } }, /^its schedule\.nightly\.run is not a function/],
      [{ schedule: { 'a b': { everyMinutes: 5, run() {} } } }, /^its schedule "a b" is not letters/],
      [{ actions: { 'a.b'() {} } }, /^its action "a\.b" is not letters/],
      [{ actions: JSON.parse('{"__proto__": 1}') }, /^its actions\.__proto__ is not a function/],
      [{ events: { names: 'all', handle() {} } }, /^its events are not a list/],
      [{ events: { names: ['a b'], handle() {} } }, /^its event "a b" is not/],
    ]
    for (const [plugin, message] of invalidPlugins) assert.match(getLoadError(plugin), message)
  })

  test('contains no HTML in any displayed text, and no text above its maximum length', () => {
    const driver = { name: 'One', type: 'label-printer', labels: 'pdf', print() {} }
    const integer = { type: 'integer', default: 1 }
    const withChoice = (secondChoice: object) =>
      withSetting({ type: 'choice', default: 'a', choices: [{ value: 'a', display_name: 'A' }, secondChoice] })
    const withText: Record<string, (text: string) => object> = {
      name: (name) => ({ name }),
      title: (title) => ({ title }),
      description: (description) => ({ description }),
      author: (author) => ({ author }),
      license: (license) => ({ license }),
      website: (text) => ({ website: `https://example.com/${text}` }),
      'name of a setting': (name) => withSetting({ ...integer, name }),
      'description of a setting': (description) => withSetting({ ...integer, description }),
      'units of a setting': (units) => withSetting({ ...integer, units }),
      'key of a setting': (key) => ({ settings: { [key]: { ...integer, name: 'A', description: '' } } }),
      'value of a choice': (value) => withChoice({ value, display_name: 'B' }),
      'name of a choice': (display_name) => withChoice({ value: 'b', display_name }),
      'name of a driver': (name) => ({ machineDrivers: { one: { ...driver, name } } }),
      'description of a driver': (description) => ({ machineDrivers: { one: { ...driver, description } } }),
      'name of a setting of a driver': (name) => ({
        machineDrivers: { one: { ...driver, ...withSetting({ ...integer, name }) } },
      }),
      version: (version) => ({ version }),
      published: (published) => ({ published }),
      slug: (slug) => ({ slug }),
      action: (name) => ({ actions: { [name]() {} } }),
      entry: (name) => ({ schedule: { [name]: { everyMinutes: 1, run() {} } } }),
      event: (name) => ({ events: { names: [name], handle() {} } }),
    }
    const markup = [
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script>',
      'a <b',
      '</b>',
      '<!-- a -->',
      '<?xml?>',
      '<<b>',
      '<SVG/onload=alert(1)>',
      '"><a href="x">',
    ]
    for (const [caseName, plugin] of Object.entries(withText)) {
      for (const text of markup) assert.match(getLoadError(plugin(text)), /contains HTML|^its /, `${caseName}: ${text}`)
      getLoadError(plugin('x'.repeat(5_000)))
    }
    for (const text of ['a < b > c', 'a -> b', '<3', '1<2', 'R&D\'s "best"', '&lt;b&gt;'])
      assert.equal(loadManifest({ ...minimalPlugin, title: text }).title, text)
    assert.equal(loadManifest({ ...minimalPlugin, author: 'A <a@example.com>, B' }).author, 'A (a@example.com), B')
    assert.match(getLoadError({ author: 'A <img src=x@y>' }), /^its author contains HTML/)
  })

  test('is not trusted when it comes from a process', () => {
    const assertRejected = (manifestData: unknown, message: RegExp) => assert.throws(() => readManifest(manifestData), message)
    assertRejected(null, /^Error: its description of itself is not an object/)
    assertRejected([], /its description of itself is not an object/)
    assertRejected({ ...minimalPlugin }, /its functions are not a list/)
    assertRejected({ ...minimalPlugin, hooks: ['toString'] }, /it cannot have a function "toString"/)
    assertRejected({ ...minimalPlugin, hooks: ['actions.count'] }, /it cannot have a function "actions.count"/)
    assertRejected({ ...minimalPlugin, hooks: ['schedule.nightly.run'], schedule: {} }, /it cannot have a function/)
    assertRejected({ ...minimalPlugin, hooks: [7] }, /it cannot have a function \(number\)/)
  })
})
