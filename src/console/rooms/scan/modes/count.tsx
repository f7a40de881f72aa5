import { quantity, t } from '../../../kit/language/language.ts'
import { Refusal } from '../../../kit/service/api.ts'
import { may } from '../../../kit/service/session.ts'
import { readStock, type StockItem, stockName } from '../../../scanner/describe.ts'
import { type Station, shortened } from '../../../scanner/station.ts'
import { isDone } from '../../../scanner/waiting-scans.ts'
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
    const write = (said: string) => book(code, said, station)
    // there is one of it, or it is not there
    if (item?.serial) return book(code, '1', station)
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

async function book(code: string, said: string, station: Station): Promise<void> {
  const answer = await station.work('count', code, { quantity: said })
  if (answer && !isDone(answer)) station.refuse(answer, code)
}
