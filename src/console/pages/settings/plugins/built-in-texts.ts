import type { SettingTexts } from '../owned-setting.ts'

type Texts = { title: string; description: string; settings?: SettingTexts }

const supplierTexts = (name: string): Texts => ({
  title: `Lieferant ${name}`,
  description: `Liest Etiketten von ${name}.`,
  settings: {
    SUPPLIER_ID: {
      name: 'Lieferant',
      description: `Die Firma ${name}; sonst der einzige Lieferant, in dessen Namen ${name} vorkommt.`,
    },
  },
})

/** German texts of the built-in plugins and their settings, by slug. A test finds missing ones. */
export const builtInTexts: Readonly<Record<string, Texts>> = {
  inventreebarcode: {
    title: 'Barcodes',
    description:
      'Liest Barcodes dieses Dienstes, und solche, die mit einem Objekt verknüpft sind. Ist es aus, lassen sich Barcodes weder lesen noch verknüpfen.',
    settings: {
      INTERNAL_BARCODE_FORMAT: {
        name: 'Form eigener Barcodes',
        description: 'Die Form erzeugter Codes von Objekten: {"part": 42}, oder kurz wie INV-PA42. Beide lassen sich scannen.',
        choices: { short: 'Kurz' },
      },
      SHORT_BARCODE_PREFIX: {
        name: 'Anfang kurzer Barcodes',
        description: 'Womit kurze Barcodes beginnen, wie INV-PA42 für Teil 42; leer, wenn es keine kurzen geben soll.',
      },
    },
  },
  inventreecorenotificationsplugin: {
    title: 'Benachrichtigungen',
    description: 'Schickt Benachrichtigungen per E-Mail.',
    settings: {
      ENABLE_NOTIFICATION_EMAILS: {
        name: 'E-Mails einschalten',
        description: 'Konten werden per E-Mail benachrichtigt, wenn sie das nicht abbestellen.',
      },
      ENABLE_NOTIFICATION_SLACK: {
        name: 'Slack einschalten',
        description: 'Stockroom schickt nichts an Slack. Die Einstellung wird nur gespeichert.',
      },
      NOTIFICATION_SLACK_URL: {
        name: 'Webhook von Slack',
        description:
          'Die URL eines Kanals von Slack. Sie ist geheim, und wird nie gezeigt. Stockroom schickt nichts an Slack. Die Einstellung wird nur gespeichert.',
      },
    },
  },
  inventreecurrencyexchange: {
    title: 'Wechselkurse',
    description: 'Holt die Referenzkurse, die die Europäische Zentralbank an jedem Arbeitstag veröffentlicht.',
    settings: {
      SOURCE_URL: {
        name: 'Quelle',
        description: 'Die URL der täglichen Referenzkurse, im XML-Format der Europäischen Zentralbank.',
      },
    },
  },
  inventreelabel: {
    title: 'Etiketten als PDF',
    description: 'Macht ein PDF mit einem Etikett auf jeder Seite.',
    settings: {
      DEBUG: { name: 'Fehlersuche', description: 'Macht Etiketten als HTML statt als PDF, um Fehler in Vorlagen zu finden.' },
    },
  },
  inventreelabelmachine: { title: 'Etiketten auf Druckern', description: 'Druckt Etiketten auf einem eingerichteten Drucker.' },
  inventreelabelsheet: {
    title: 'Etikettenbögen',
    description: 'Macht ein PDF mit mehreren Etiketten auf jeder Seite, für Etikettenbögen.',
  },
  digikeyplugin: supplierTexts('DigiKey'),
  lcscplugin: supplierTexts('LCSC'),
  mouserplugin: supplierTexts('Mouser'),
  tmeplugin: supplierTexts('TME'),
  zplprinter: { title: 'ZPL-Drucker', description: 'Druckt Etiketten auf ZPL-Druckern im Netz.' },
  ippprinter: { title: 'IPP-Drucker', description: 'Druckt Etiketten auf Druckern mit IPP und PDF, und auf Druckservern.' },
}
