/** Attachments of objects of the workshop, by the URL they are posted to. */
export const attachments = [
  {
    path: '/api/part/attachment/',
    owner: { part: 25 },
    attachment: `data:text/csv;name=discharge.csv,${encodeURIComponent('hours,volts\n0,1.61\n10,1.31\n20,1.18\n30,0.92\n')}`,
    comment: 'Discharge at 100 mA, as measured',
  },
  { path: '/api/part/attachment/', owner: { part: 25 }, link: 'https://cells.example/aa.pdf', comment: 'Data sheet' },
  { path: '/api/stock/attachment/', owner: { stock_item: 1 }, link: 'https://tests.example/4711', comment: 'Test record' },
  {
    path: '/api/company/attachment/',
    owner: { company: 1 },
    link: 'https://brightwell.example/terms.pdf',
    comment: 'Terms of delivery',
  },
  {
    path: '/api/company/part/manufacturer/attachment/',
    owner: { manufacturer_part: 1 },
    link: 'https://maker.example/note.pdf',
    comment: 'Note on soldering',
  },
  {
    path: '/api/order/po/attachment/',
    owner: { order: 1 },
    link: 'https://brightwell.example/invoice-881.pdf',
    comment: 'Invoice',
  },
  {
    path: '/api/build/attachment/',
    owner: { build: 1 },
    link: 'https://songbird.example/assembly-wren.pdf',
    comment: 'Assembly drawing',
  },
  {
    path: '/api/order/ro/attachment/',
    owner: { order: 1 },
    link: 'https://klangladen.example/letter.pdf',
    comment: 'Their letter',
  },
  {
    path: '/api/order/so/attachment/',
    owner: { order: 1 },
    link: 'https://klangladen.example/ko-311.pdf',
    comment: 'Their order',
  },
]
