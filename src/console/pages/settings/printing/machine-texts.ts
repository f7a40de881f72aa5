import type { SettingTexts } from '../owned-setting.ts'

/** German texts of the built-in drivers and their settings, by slug. */
export const driverTexts: Readonly<Record<string, { name: string; description: string; settings: SettingTexts }>> = {
  zpl: {
    name: 'ZPL über TCP',
    description: 'Für Etikettendrucker von Zebra und kompatible im Netz: schickt Etiketten als ZPL an einen Port des Druckers.',
    settings: {
      HOST: { name: 'Adresse', description: 'Name oder IP-Adresse des Druckers im Netz.' },
      PORT: { name: 'Port', description: 'Der Port des Druckers.' },
      DPI: { name: 'Auflösung', description: 'Die Auflösung des Druckkopfs, in Punkten pro Zoll.' },
      FORM: {
        name: 'Form',
        description:
          'Ob der Drucker Texte, Barcodes und Linien selbst zeichnet, in seiner eigenen Schrift, wenn auf einem Etikett nichts anderes ist.',
        choices: { picture: 'Als Bild', native: 'Selbst gezeichnet, wenn möglich' },
      },
      DITHER: {
        name: 'Rastern',
        description: 'Grau wird gerastert; sonst ist alles schwarz, was dunkler ist als der Schwellwert.',
      },
      THRESHOLD: { name: 'Schwellwert', description: 'Die Helligkeit, ab der Grau nicht schwarz gedruckt wird: 255 ist weiß.' },
    },
  },
  ipp: {
    name: 'IPP',
    description:
      'Für Bürodrucker, Etikettendrucker und Druckserver (etwa CUPS), die PDF über das Internet Printing Protocol annehmen.',
    settings: {
      URI: {
        name: 'Adresse',
        description: 'Die URL des Druckers, wie `ipp://printer.example/ipp/print`; `ipps` ist verschlüsselt.',
      },
      USER: { name: 'Name', description: 'Der Name, unter dem gedruckt wird.' },
    },
  },
  type: {
    name: 'Etikettendrucker',
    description: 'Druckt Etiketten.',
    settings: { LOCATION: { name: 'Ort des Druckers', description: 'Der Lagerort, an dem der Drucker steht.' } },
  },
}

/** German texts of errors and states of machines, by the text of the service, with `{names}` for the inserted values. */
export const machineErrorTexts: Readonly<Record<string, string>> = {
  'Its driver is not there.': 'Sein Treiber fehlt.',
  'Its setting "Host" is empty.': 'Gib seine Adresse ein.',
  'Its setting "Address" is empty.': 'Gib seine Adresse ein.',
  'Its setting "{setting}" is empty.': 'Seine Einstellung „{setting}“ ist leer.',
  'It cannot be reached at {address}: it refused the connection.':
    'Er ist unter {address} nicht zu erreichen: Er hat die Verbindung abgewiesen.',
  'It cannot be reached at {address}: it closed the connection.':
    'Er ist unter {address} nicht zu erreichen: Er hat die Verbindung beendet.',
  'It cannot be reached at {address}: no response.': 'Er ist unter {address} nicht zu erreichen: keine Antwort.',
  'It cannot be reached at {address}: there is no such host.':
    'Er ist unter {address} nicht zu erreichen: Diesen Host gibt es nicht.',
  'It cannot be reached at {address}: {reason}.': 'Er ist unter {address} nicht zu erreichen: {reason}.',
  'It has no paper.': 'Er hat kein Papier.',
  'It has no media.': 'Er hat kein Material.',
  'Its head is open.': 'Sein Druckkopf ist offen.',
  'It has no ribbon.': 'Er hat kein Farbband.',
  'It is paused.': 'Er ist angehalten.',
  'It is stopped.': 'Er ist angehalten.',
  'It accepts labels, and does not report its status.': 'Er nimmt Etiketten an, und meldet seinen Zustand nicht.',
  'It returned status {status}.': 'Er hat den Status {status} gemeldet.',
  'It returned HTTP {status}.': 'Er hat mit HTTP {status} geantwortet.',
  '{uri} is not the URL of a printer: it must start with ipp:// or ipps://.':
    '{uri} ist keine Adresse eines Druckers: Sie beginnt mit ipp:// oder ipps://.',
  'The plugin {plugin} failed.': 'Das Plugin {plugin} ist fehlgeschlagen.',
}
