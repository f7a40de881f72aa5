import { quantity, t } from '../../../kit/language/language.ts'
import { Refusal } from '../../../kit/service/api.ts'
import { may } from '../../../kit/service/session.ts'
import { compare, minus } from '../../../kit/values/exact.ts'
import { readStock, type StockItem, stockName } from '../../../scanner/describe.ts'
import { type Station, shortened } from '../../../scanner/station.ts'
import { isDone } from '../../../scanner/waiting-scans.ts'
import { belowAllocated, lossesOf } from '../../stock/release.tsx'
import { chooseScanned, type Mode } from '../mode.ts'
import { question } from '../question.tsx'
import { placeOrStock } from './move.tsx'

export const count: Mode = {
  name: 'count',
  title: 'scan.mode.count',
  icon: 'count',
  help: 'scan.help.count',
  isFor: () => may('add', 'stock'),
  async take(code, station) {
    const object = await placeOrStock(code, station)
    if (!object) return
    if (object.kind === 'stocklocation') return chooseScanned('place', code, station)
    const item = await readStock(object.pk).catch((error) => {
      if (error instanceof Refusal && error.status === 0) return undefined
      throw error
    })
    const write = (said: string) => book(code, item, { quantity: said }, station)
    // a serialized item is either there or not
    if (item?.serial) return book(code, item, { quantity: '1' }, station)
    station.say({
      tone: 'found',
      text: item ? stockName(item) : shortened(code),
      more: item
        ? t('scan.should-be', { many: quantityOf(item), place: item.location_detail?.pathstring ?? t('scan.nowhere') })
        : undefined,
    })
    question.value = {
      kind: 'quantity',
      title: t('scan.how-many', { part: item?.part_detail?.full_name ?? shortened(code) }),
      unit: item?.part_detail?.units ?? '',
      expected: item?.quantity,
      answer: write,
    }
  },
  Panel: () => null,
}

const quantityOf = ({ quantity: many, part_detail }: StockItem): string => quantity(many, part_detail?.units)

type CountReply = { quantity: string; release_allocations?: readonly string[] }

async function book(code: string, item: StockItem | undefined, said: CountReply, station: Station): Promise<void> {
  const answer = await station.work('count', code, said)
  if (!answer || isDone(answer)) return
  const [below] = belowAllocated(answer.field_errors ?? [])
  if (!below) return station.refuse(answer, code)
  const shown = (amount: string) => quantity(amount, item?.part_detail?.units)
  const missing = minus(below.allocated, said.quantity)
  const { losses } = lossesOf(below.allocations, missing)
  const newest = below.allocations.filter(({ id }) => losses.has(id))
  const release = (ids: readonly string[]) => () => book(code, item, { ...said, release_allocations: ids }, station)
  const orders = newest.map(({ id, reference }) =>
    t('scan.order-loses', { reference, quantity: shown(losses.get(id) as string) }),
  )
  // the other orders with enough allocated can release all of it
  const others = below.allocations.filter(({ id, quantity }) => id !== newest[0]?.id && compare(quantity, missing) >= 0)
  question.value = {
    kind: 'choice',
    title: t('scan.release', {
      part: item?.part_detail?.full_name ?? shortened(code),
      counted: shown(said.quantity),
      allocated: shown(below.allocated),
      missing: shown(missing),
    }),
    choices: [
      { text: orders.join(', '), choose: release(newest.map(({ id }) => id)) },
      ...others.map(({ id, reference }) => ({
        text: t('scan.order-loses', { reference, quantity: shown(missing) }),
        choose: release([id]),
      })),
    ],
  }
}
