import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from '../paths.ts'
import { testService } from '../testing/service.ts'
import { compareDump } from './comparison/compare-dump.ts'
import { importDump } from './import.ts'
import { kinds } from './loading/kinds.ts'
import { Dump } from './reading/dump.ts'
import { Problems } from './report.ts'

const file = join(ROOT, '../shared/data/inventree-1.5-demo.json')

describe('the demo data of InvenTree 1.5', { skip: !existsSync(file) }, async () => {
  const service = await testService({}, { runsBackgroundWork: false })
  const report = existsSync(file) ? await importDump(service.pool, file, { skipInvalid: true }) : undefined
  const get = async (path: string) => (await service.superuser.get(path)).body

  it('has its parameters, templates and selection lists, with their keys', async () => {
    const loaded = Object.fromEntries(report?.kinds.map(({ model, loaded }) => [model, loaded]) ?? [])
    assert.deepEqual(
      ['common.parametertemplate', 'common.selectionlist', 'common.selectionlistentry'].map((model) => loaded[model]),
      [26, 3, 8],
    )
    assert.ok((loaded['common.parameter'] ?? 0) >= 1212, `${loaded['common.parameter']}`)
    const parameter = await get('/api/parameter/1919/')
    const { template, model_type, model_id, data, note, updated_by_detail } = parameter
    assert.deepEqual(
      [template, model_type, model_id, data, note, updated_by_detail.username],
      [20, 'part.part', 77, 'ano', 'as shown', 'admin'],
    )
    assert.equal((await get('/api/parameter/?model_type=stocklocation')).count, 2)
    assert.equal((await get('/api/part/parameter/911/')).part, 602)
    const finish = await get('/api/parameter/template/20/')
    assert.deepEqual([finish.name, finish.selectionlist, finish.unique, finish.enabled], ['Finish', 1, 0, true])
    assert.equal((await get('/api/parameter/template/22/')).model_type, 'stock.stocklocation')
    assert.deepEqual((await get('/api/selection/1/entry/4/')).label, 'Chrome')
    assert.equal((await get('/api/selection/3/')).locked, true)
  })

  it('has its parts, suppliers and BOMs as they were', async () => {
    const locked = await get('/api/part/902/')
    assert.deepEqual([locked.locked, locked.revision_of, locked.testable], [true, 87, true])
    const paste = await get('/api/part/903/')
    assert.deepEqual([paste.consumable, paste.maximum_stock], [true, 20])
    assert.equal(paste.default_supplier, 1037)
    assert.equal((await get('/api/company/part/1037/')).primary, true)
    assert.equal((await get('/api/company/part/?primary=true')).count, 2)
    assert.equal((await get('/api/company/part/manufacturer/198/')).notes, 'made to order')
    assert.equal((await get('/api/part/related/6/')).note, 'same housing')
    assert.equal((await get('/api/part/test-template/12/')).choices, 'none,few,many')
    assert.equal((await get('/api/project-code/6/')).active, false)
    const validation = await get('/api/part/904/bom-validate/')
    assert.deepEqual([validation.bom_validated, validation.bom_checked_date], [true, '2026-11-26'])
    assert.equal((await get('/api/part/87/bom-validate/')).bom_validated, false)
    assert.equal((await get('/api/bom/?validated=true')).count, 4)
  })

  it('is found unchanged, value by value', async () => {
    const dump = await Dump.open(file, kinds, new Problems())
    const comparisons = await compareDump(dump, service.app.routes.services).finally(() => dump.close())
    const models =
      /^(common\.(parameter|parametertemplate|selectionlist|selectionlistentry|projectcode)|part\.(part|partrelated|parttesttemplate|bomitem|partcategoryparametertemplate)|company\.(company|supplierpart|manufacturerpart))$/
    const damage = comparisons
      .filter(({ model }) => models.test(model))
      .flatMap(({ model, damage }) => damage.map((text) => `${model} ${text}`))
    // a parameter of a transfer order
    assert.deepEqual(
      damage.filter((text) => text !== 'common.parameter 1937 is missing'),
      [],
    )
  })
})
