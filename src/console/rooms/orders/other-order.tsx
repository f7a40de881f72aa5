import { useRead } from '../../kit/page/data.ts'

type Properties = { api: string; at: number; to: string; title: string }

/** A link to another order, by its reference. @param title what it is called before that is known, and where it may not be read */
export function OtherOrder({ api, at, to, title }: Properties) {
  const { data } = useRead<{ order: { reference: string } }>({ order: `${api}${at}/` })
  return <a href={`${to}${at}/`}>{data?.order.body.reference ?? title}</a>
}
