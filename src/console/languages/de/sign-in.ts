import type { signIn as words } from '../en/sign-in.ts'

export const signIn: Record<keyof typeof words, string> = {
  'enrol.start': 'Beginnen',
  'enrol.codes': 'Deine Wiederherstellungscodes',
  'enrol.codes-text':
    'Bewahre sie da auf, wo du sie ohne dein Telefon findest. Jeder lässt dich einmal herein. Sie werden nicht noch einmal gezeigt.',
  'enrol.confirm': 'Einschalten',
  'enrol.codes-download': 'Herunterladen',
  'enrol.codes-print': 'Drucken',
  'enrol.codes-file': 'Wiederherstellungscodes',
  'enrol.codes-stored': 'Ich habe sie aufbewahrt',
  'enrol.qr': 'Das Geheimnis als QR-Code',
  'enrol.scan':
    'Scanne dies mit deiner Authenticator-App oder tippe die Buchstaben darunter ein. Gib dann den Code ein, den sie zeigt.',
  'enrol.text':
    'Dieser Dienst verlangt von allen einen zweiten Faktor: eine Authenticator-App auf dem Telefon. Gib dein Passwort noch einmal ein, um sie einzurichten.',
  'enrol.title': 'Ein zweiter Faktor',
  'sign-in.session-ended': 'Deine Sitzung ist zu Ende. Melde dich an, um weiterzumachen.',
  'sign-in.back': 'Zurück zur Anmeldung',
  'sign-in.button': 'Anmelden',
  'sign-in.code': 'Code',
  'sign-in.code-help': 'Was deine Authenticator-App zeigt, oder einer deiner Wiederherstellungscodes.',
  'sign-in.create': 'Konto anlegen',
  'sign-in.email': 'E-Mail-Adresse deines Kontos',
  'sign-in.first': 'Das erste Konto einrichten',
  'sign-in.first-text':
    'Das erste Konto darf alles. Sein Einrichtungscode steht in dem, was der Dienst beim Start geschrieben hat.',
  'sign-in.forgotten': 'Passwort vergessen?',
  'sign-in.email-sent': 'Wenn es ein Konto mit dieser Adresse gibt, ist eine Mail mit einem Link unterwegs.',
  'sign-in.password-again': 'Passwort noch einmal',
  'sign-in.send-link': 'Link schicken',
  'sign-in.setup-code': 'Einrichtungscode',
  'sign-in.setup-code-help': 'Vier Gruppen aus Buchstaben und Ziffern, aus dem Protokoll vom Start.',
  'sign-in.sso.address_missing': 'Der Anbieter hat deine E-Mail-Adresse nicht genannt, die hier gebraucht wird.',
  'sign-in.sso.address_taken':
    'Ein Konto hier hat deine E-Mail-Adresse schon. Melde dich mit dessen Passwort an und verknüpfe den Anbieter dort.',
  'sign-in.sso.denied': 'Der Anbieter hat dich nicht hereingelassen.',
  'sign-in.sso.expired': 'Das hat zu lange gedauert. Versuche es noch einmal.',
  'sign-in.sso.failed': 'Die Anmeldung beim Anbieter hat nicht geklappt. Das Protokoll des Dienstes sagt, warum.',
  'sign-in.sso.inactive': 'Dein Konto hier ist abgeschaltet.',
  'sign-in.sso.registration_closed': 'Du hast hier kein Konto, und auf diesem Weg entstehen keine neuen.',
  'sign-in.title': 'Anmelden',
  'sign-in.with': 'Anmelden mit {provider}',
}
