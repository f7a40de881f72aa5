export type DemoCompany = {
  name: string
  description: string
  currency: string
  website: string
  email?: string
  phone?: string
  /** Roles of the company. */
  is: ('supplier' | 'manufacturer' | 'customer')[]
  /** No longer a business partner. */
  inactive?: boolean
  notes?: string
  contacts?: { name: string; role: string; email: string; phone?: string }[]
  addresses?: DemoAddress[]
}

/** The first address of a company is its primary one, which its orders use. */
type DemoAddress = {
  title: string
  line1: string
  line2?: string
  postal_code: string
  postal_city: string
  province?: string
  country: string
  shipping_notes?: string
  internal_shipping_notes?: string
}

/** Every name, address and number is invented. */
export const companies: DemoCompany[] = [
  {
    name: 'Brightwell Components',
    description: 'Electronic parts by the reel and by the strip, next day',
    currency: 'GBP',
    website: 'https://brightwell.example',
    email: 'sales@brightwell.example',
    phone: '+44 1632 960142',
    is: ['supplier'],
    notes: 'Free delivery above **£75**. Ask Harriet for reels that are already opened: they are a third cheaper.',
    contacts: [
      { name: 'Harriet Lowe', role: 'Sales', email: 'harriet@brightwell.example', phone: '+44 1632 960143' },
      { name: 'Tom Ashdown', role: 'Returns', email: 'returns@brightwell.example' },
    ],
    addresses: [
      {
        title: 'Head office',
        line1: '14 Canal Yard',
        postal_code: 'BW1 4QX',
        postal_city: 'Brightwell',
        country: 'United Kingdom',
      },
      {
        title: 'Returns',
        line1: 'Unit 6, Lock Lane',
        postal_code: 'BW2 7LL',
        postal_city: 'Brightwell',
        country: 'United Kingdom',
        shipping_notes: 'Deliveries until 15:00',
        internal_shipping_notes: 'Write the return number on the outside',
      },
    ],
  },
  {
    name: 'Elektro Lindner',
    description: 'Cable, connectors, batteries: the shop round the corner',
    currency: 'EUR',
    website: 'https://elektro-lindner.example',
    email: 'laden@elektro-lindner.example',
    phone: '+49 30 23125 014',
    is: ['supplier'],
    contacts: [{ name: 'Greta Lindner', role: 'Owner', email: 'greta@elektro-lindner.example', phone: '+49 30 23125 015' }],
    addresses: [{ title: 'Shop', line1: 'Mühlengasse 3', postal_code: '10999', postal_city: 'Berlin', country: 'Germany' }],
  },
  {
    name: 'Schraubenhaus Weber',
    description: 'Every screw there is, in boxes of a hundred',
    currency: 'EUR',
    website: 'https://schraubenhaus.example',
    email: 'bestellung@schraubenhaus.example',
    is: ['supplier'],
    contacts: [{ name: 'Peter Weber', role: 'Orders', email: 'weber@schraubenhaus.example' }],
    addresses: [
      { title: 'Warehouse', line1: 'Am Güterbahnhof 21', postal_code: '58636', postal_city: 'Iserlohn', country: 'Germany' },
    ],
  },
  {
    name: 'Morning Star Trading',
    description: 'Controls, displays and loudspeakers from many makers',
    currency: 'CNY',
    website: 'https://morningstar.example',
    email: 'export@morningstar.example',
    is: ['supplier'],
    notes: 'Closed for two weeks around the Spring Festival: order early.',
    contacts: [{ name: 'Lin Yue', role: 'Export', email: 'lin.yue@morningstar.example', phone: '+86 755 5550 0186' }],
    addresses: [
      {
        title: 'Export office',
        line1: '8 Garden Road',
        line2: 'Tower B, room 1204',
        postal_code: '518000',
        postal_city: 'Shenzhen',
        province: 'Guangdong',
        country: 'China',
      },
    ],
  },
  {
    name: 'Cascadia Circuits',
    description: 'Circuit boards, bare and assembled',
    currency: 'USD',
    website: 'https://cascadia-circuits.example',
    email: 'quotes@cascadia-circuits.example',
    phone: '+1 206 555 0117',
    is: ['supplier', 'manufacturer'],
    contacts: [{ name: 'Dana Whitlock', role: 'Engineering', email: 'dana@cascadia-circuits.example', phone: '+1 206 555 0118' }],
    addresses: [
      {
        title: 'Factory',
        line1: '2200 Alder Street',
        postal_code: '98101',
        postal_city: 'Seattle',
        province: 'WA',
        country: 'United States',
      },
    ],
  },
  {
    name: 'Joinery Birkholz',
    description: 'Cases of walnut and oak, made by hand',
    currency: 'EUR',
    website: 'https://birkholz.example',
    email: 'werkstatt@birkholz.example',
    is: ['supplier', 'manufacturer'],
    contacts: [{ name: 'Anke Birkholz', role: 'Joiner', email: 'anke@birkholz.example', phone: '+49 30 23125 087' }],
    addresses: [
      {
        title: 'Workshop',
        line1: 'Waldweg 9',
        postal_code: '15345',
        postal_city: 'Altlandsberg',
        country: 'Germany',
        internal_shipping_notes: 'We fetch the cases ourselves: call the day before',
      },
    ],
  },
  {
    name: 'Kartonwerk Nord',
    description: 'Boxes and labels',
    currency: 'EUR',
    website: 'https://kartonwerk.example',
    email: 'auftrag@kartonwerk.example',
    is: ['supplier', 'manufacturer'],
    addresses: [{ title: 'Works', line1: 'Hafenstraße 40', postal_code: '22767', postal_city: 'Hamburg', country: 'Germany' }],
  },
  {
    name: 'Radiohaus Petersen',
    description: 'Closed down; had the nicest switches',
    currency: 'EUR',
    website: 'https://radiohaus-petersen.example',
    is: ['supplier'],
    inactive: true,
    addresses: [{ title: 'Shop', line1: 'Lange Reihe 88', postal_code: '20099', postal_city: 'Hamburg', country: 'Germany' }],
  },
  {
    name: 'Halden Passives',
    description: 'Resistors and capacitors',
    currency: 'EUR',
    website: 'https://halden.example',
    is: ['manufacturer'],
  },
  {
    name: 'Norrsken Semiconductor',
    description: 'Integrated circuits and light-emitting diodes',
    currency: 'EUR',
    website: 'https://norrsken.example',
    is: ['manufacturer'],
  },
  {
    name: 'Yamabuki Controls',
    description: 'Potentiometers, keys and sockets',
    currency: 'JPY',
    website: 'https://yamabuki.example',
    is: ['manufacturer'],
  },
  {
    name: 'Klangladen Ottensen',
    description: 'Sells our instruments in the north',
    currency: 'EUR',
    website: 'https://klangladen.example',
    email: 'hallo@klangladen.example',
    is: ['customer'],
    contacts: [{ name: 'Femi Adeyemi', role: 'Owner', email: 'femi@klangladen.example' }],
    addresses: [
      { title: 'Shop', line1: 'Bahrenfelder Weg 12', postal_code: '22765', postal_city: 'Hamburg', country: 'Germany' },
    ],
  },
]
