import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { samples } from '../resources/barcode/sample-codes.ts'
import digikey from './digikeyplugin.ts'
import lcsc from './lcscplugin.ts'
import mouser from './mouserplugin.ts'
import tme from './tmeplugin.ts'

/** The context of a plugin with company 7 in its setting. */
const context = { settings: { get: async () => 7 } } as any
const read = (plugin: any, text: string) => plugin.supplierBarcode.read(text, context)
const toPlainJson = (value: unknown) => JSON.parse(JSON.stringify(value ?? null))

describe('supplier labels', () => {
  it('are read if DigiKey prints them', async () => {
    const common = {
      customer_order_number: '',
      supplier_order_number: '72991337',
      packing_list_number: '1',
      country_of_origin: 'PH',
      quantity: '10',
      supplier: 7,
    }
    assert.deepEqual(toPlainJson(await read(digikey, samples.digikey)), {
      ...common,
      supplier_part_number: '296-LM358BIDDFRCT-ND',
      manufacturer_part_number: 'LM358BIDDFR',
    })
    assert.deepEqual(toPlainJson(await read(digikey, samples.digikeyBy30P)), {
      ...common,
      supplier_part_number: '296-LM358BIDDFRCT-ND',
    })
    const nonsense = { supplier_part_number: 'nonsense', manufacturer_part_number: 'nonsense' }
    assert.deepEqual(toPlainJson(await read(digikey, samples.digikeyNonsense)), { ...common, ...nonsense })
  })

  it('are read if Mouser prints them, including the old format', async () => {
    assert.deepEqual(toPlainJson(await read(mouser, samples.mouser)), {
      customer_order_number: 'P0-1337',
      supplier_order_number: 'P0-1337',
      purchase_order_line: '011',
      manufacturer_part_number: 'MC34063ADR',
      quantity: '3',
      packing_list_number: '073121337',
      country_of_origin: 'MX',
      manufacturer: 'TI',
      supplier: 7,
    })
    assert.deepEqual(toPlainJson(await read(mouser, samples.oldMouser)), {
      customer_order_number: '21421337',
      supplier_order_number: '21421337',
      purchase_order_line: '033',
      manufacturer_part_number: 'LDK320ADU33R',
      quantity: '32',
      packing_list_number: '060931337',
      country_of_origin: 'CN',
      manufacturer: 'STMicro',
      supplier: 7,
    })
  })

  it('are read if LCSC prints them', async () => {
    assert.deepEqual(toPlainJson(await read(lcsc, samples.lcsc)), {
      supplier_part_number: 'C312270',
      manufacturer_part_number: 'ST-1-102-A01-T000-RS',
      quantity: '2',
      supplier_order_number: 'SO2009291337',
      supplier: 7,
    })
    const label = (pairs: string) => read(lcsc, `{pbn:PICK2411110001,on:SO2411111111,${pairs},mc:,cc:1,pdi:99887767}`)
    for (const [mpn, pairs] of [
      ['BZX884-B3V0,315', 'pc:C553344,pm:BZX884-B3V0,315,qty:100'],
      ['A:1', 'pc:C553344,pm:A:1,qty:100'],
      ['A,B:C,D', 'pc:C553344,qty:100,pm:A,B:C,D'],
      ['', 'pm:,pc:C553344,hp:3,wh:ZH,qty:100,later:1'],
    ] as const)
      assert.deepEqual(toPlainJson(await label(pairs)), {
        supplier_part_number: 'C553344',
        manufacturer_part_number: mpn,
        quantity: '100',
        supplier_order_number: 'SO2411111111',
        supplier: 7,
      })
    for (const text of ['{}', '{a}', '{a:"b"}x', '{"part": 1, "x": 2:3}', '{"part": 1}', '{qty:2,on:SO1}'])
      assert.equal(await read(lcsc, text), undefined, text)
  })

  it('are read if TME prints them, including the old format', async () => {
    assert.deepEqual(toPlainJson(await read(tme, samples.tme)), {
      supplier_part_number: 'WBP-302',
      manufacturer_part_number: 'WBP-302',
      manufacturer: 'WISHERENTERPRISE',
      customer_order_number: 'PO-2023-06-08-001337',
      supplier_order_number: '19361337',
      quantity: '1',
      supplier: 7,
    })
    assert.deepEqual(toPlainJson(await read(tme, samples.oldTme)), {
      supplier_part_number: 'WBP-302',
      manufacturer_part_number: 'MPNWBP-302',
      customer_order_number: '19361337/1',
      quantity: '1',
      supplier: 7,
    })
    for (const text of ['P123', 'Part of a text', 'QTY:1', samples.mouser]) assert.equal(await read(tme, text), undefined, text)
  })

  it('are read only by the plugin of their own supplier', async () => {
    const pluginsByLabel = new Map<string, object>([
      [samples.digikey, digikey],
      [samples.digikeyBy30P, digikey],
      [samples.mouser, mouser],
      [samples.oldMouser, mouser],
      [samples.lcsc, lcsc],
      [samples.tme, tme],
      [samples.oldTme, tme],
    ])
    for (const [text, plugin] of pluginsByLabel)
      for (const each of [digikey, mouser, lcsc, tme])
        assert.equal((await read(each, text)) !== undefined, each === plugin, `${(each as any).name} ${text}`)
    // a label that any distributor could have printed
    const genericLabel = '[)>\u001e06\u001dPX-1\u001d1PM-1\u001dQ10\u001dKPO-1\u001e\u0004'
    for (const each of [digikey, mouser, lcsc, tme]) assert.equal(await read(each, genericLabel), undefined)
  })

  it("contain the buyer's part number if Mouser prints them", async () => {
    const text = samples.mouser.replace('1PMC34063ADR', 'PIPN-7\u001d1PMC34063ADR')
    const { supplier_part_number, customer_part_number, manufacturer_part_number } = await read(mouser, text)
    assert.deepEqual([supplier_part_number, customer_part_number, manufacturer_part_number], [undefined, 'IPN-7', 'MC34063ADR'])
  })

  it('are read or ignored, and never throw, whatever their content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 100 }), async (text) => {
        for (const plugin of [digikey, mouser, lcsc, tme])
          for (const code of [text, `[)>\u001e06\u001d${text}`, `{a:${text}}`, `PN:${text} x`]) await read(plugin, code)
      }),
    )
  })
})
