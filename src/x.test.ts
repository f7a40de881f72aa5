import { test } from 'node:test'
import { testService } from './testing/service.ts'
const service = await testService()
test('x', async () => {
  for (let at = 0; at < 5; at++) await service.pool.query(`insert into part (name, component, assembly, description, "IPN") select 'Part ' || lpad(n::text, 7, '0'), true, n > 99900, 'Some part', 'P-' || n from generate_series($1::int + 1, $1::int + 20000) n order by n`, [at * 20000])
  await service.pool.query(`insert into stock_item (part, quantity, purchase_price_currency) select 1 + n % 20000, 10, 'EUR' from generate_series(1, 60000) n`)
  await service.pool.query(`insert into part_pricing (part, currency, overall_min, overall_max, updated, override_min_currency, override_max_currency) select pk, 'EUR', 1, 2, now(), 'EUR','EUR' from part`)
  console.time('bom insert')
  for (let at = 0; at < 10; at++) await service.pool.query(`insert into bom_item (part, sub_part, quantity, reference) select 99901 + n % 99, 1 + n % 90000, 1 + n % 5, 'R' || n from generate_series($1::int + 1, $1::int + 20000) n`, [at * 20000])
  await service.pool.query(`insert into bom_item (part, sub_part, quantity, reference) select 100000, n * 37, 1 + n % 5, 'R' || n from generate_series(1, 500) n`)
  await service.pool.query(`insert into bom_item_substitute (bom_item, part) select pk, 1 + pk % 1000 from bom_item where part = 100000 and pk % 5 = 0`)
  console.timeEnd('bom insert')
  await service.pool.query('analyze')
  const time = async (name: string, work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let i = 0; i < 12; i++) { await service.pool.query(`update bom_item set note = note || '' where part = 100000 and sub_part = 37`); const t = performance.now(); await work(); times.push(performance.now() - t) }
    times.sort((a, b) => a - b); console.log(name, 'median', times[6]?.toFixed(1), 'min', times[0]?.toFixed(1))
  }
  const get = async (path: string) => { const a = await service.member.get(path); if (a.status !== 200) throw new Error(a.text); return a }
  await time('500 plain', () => get('/api/bom/?part=100000&limit=500'))
  await time('500 sub_part', () => get('/api/bom/?part=100000&limit=500&sub_part_detail=true'))
  await time('100 sub_part', () => get('/api/bom/?part=100000&limit=100&sub_part_detail=true'))
  await time('500 by stock', () => get('/api/bom/?part=100000&limit=500&sub_part_detail=true&ordering=-available_stock'))
  await time('first page of all', () => get('/api/bom/?limit=25'))
  await time('search all', () => get('/api/bom/?limit=25&search=0000123'))
  await time('uses', () => get('/api/bom/?uses=370&limit=25'))
  await time('in_bom_for', () => get('/api/part/?in_bom_for=100000&limit=25'))
  await time('bom_valid', () => get('/api/part/?bom_valid=false&limit=25'))
  const bare = `select count(*) over () as all, (select json_agg(row_to_json(r)) from (
    select l.pk, l.part, l.sub_part, l.quantity, l.reference, l.note, l.overage, l.optional, l.consumable, l.inherited, l.allow_variants, l.checksum = l.digest as validated,
     q.in_stock - q.allocated_to_sales_orders - q.allocated_to_build_orders as available_stock, q.external_stock, q.ordering as on_order, q.building,
     pr.overall_min::text as pricing_min, pr.overall_max::text as pricing_max, round(pr.overall_min * l.quantity, 6)::text as pricing_min_total, round(pr.overall_max * l.quantity, 6)::text as pricing_max_total, pr.updated as pricing_updated,
     coalesce(subs.stock, 0) as available_substitute_stock, coalesce(subs.list, '[]') as substitutes, 0 as available_variant_stock,
     json_build_object('pk', p.pk, 'name', p.name, 'IPN', p."IPN", 'description', p.description, 'full_name', p.full_name, 'revision', p.revision, 'active', p.active, 'assembly', p.assembly, 'trackable', p.trackable, 'image', p.image, 'units', p.units, 'salable', p.salable, 'virtual', p.virtual, 'pricing_min', pr.overall_min::text, 'pricing_max', pr.overall_max::text) as sub_part_detail
    from bom_item l join part p on p.pk = l.sub_part left join part_quantity q on q.pk = p.pk left join part_pricing pr on pr.part = p.pk
    left join lateral (select sum(sq.in_stock - sq.allocated_to_sales_orders) as stock, json_agg(json_build_object('pk', s.pk, 'bom_item', s.bom_item, 'part', s.part, 'part_detail', row_to_json(sp))) as list from bom_item_substitute s join part sp on sp.pk = s.part join part_quantity sq on sq.pk = s.part where s.bom_item = l.pk) subs on true
    where l.part = 100000 order by l.pk limit 500) r)::text`
  await time('bare 500', () => service.pool.query(bare))
})
