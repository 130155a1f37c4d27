import { longDay } from '../../../../dates/brussels-day.js';
import type { RequestMailTexts } from './request-mail-texts.js';

export const fr: RequestMailTexts = {
  subject: ({ firmName, customerName }) =>
    `${firmName} demande votre signature pour ${customerName}`,
  greeting: (contactName) => `Bonjour ${contactName},`,
  ask: ({ firmName, customerName, enterpriseNumber }, mandates) =>
    `${firmName}, votre bureau comptable, vous demande de signer ${
      mandates === 1 ? 'un mandat' : `${mandates} mandats`
    } pour ${customerName} (numéro d’entreprise ${enterpriseNumber}).`,
  reminder: {
    subject: (subject) => `Rappel\u00a0: ${subject}`,
    notAnswered: (date) =>
      `Nous vous l’avons demandé le ${date} et n’avons pas encore reçu votre réponse. Un refus est aussi une réponse\u00a0: vous ne recevrez alors plus de rappel.`,
  },
  accountsHeading: 'Extraits de compte',
  accountsPurpose: (accounts) =>
    `Dès que vous aurez signé, la banque transmettra à votre bureau comptable, sous forme numérique (fichiers CODA), les extraits de ${
      accounts === 1 ? 'ce compte' : 'ces comptes'
    }. Vous n’aurez plus à les envoyer vous-même. Cela ne permet à personne d’effectuer des paiements.`,
  consent: (days) => `Consentement à renouveler tous les ${days} jours`,
  renewal: {
    subject: ({ firmName, customerName }) =>
      `${firmName} vous demande de renouveler votre consentement pour ${customerName}`,
    ask: ({ firmName, customerName, enterpriseNumber }, accounts, lastDay) =>
      `${firmName}, votre bureau comptable, reçoit avec votre consentement les extraits ${
        accounts === 1 ? 'd’un compte' : `de ${accounts} comptes`
      } de ${customerName} (numéro d’entreprise ${enterpriseNumber}). Ce consentement prend fin le ${longDay(lastDay, 'fr')}. Merci de le renouveler avant.`,
    accountsPurpose: (accounts) =>
      `Dès que vous aurez signé, les extraits de ${
        accounts === 1 ? 'ce compte' : 'ces comptes'
      } continueront à parvenir à votre bureau comptable, sous forme numérique (fichiers CODA) et sans interruption. Cela ne permet à personne d’effectuer des paiements.`,
    consent: (lastDay, days) =>
      `Consentement jusqu’au ${longDay(lastDay, 'fr')}, renouvelé pour ${days} jours à partir de votre signature`,
    unexpected: (firmName, lastDay) =>
      `Vous n’attendiez pas ce message\u00a0? Adressez-vous à ${firmName} ou ignorez-le\u00a0: sans votre signature, le consentement prend fin le ${longDay(lastDay, 'fr')}.`,
  },
  payrollHeading: 'Salaires',
  payrollPurpose: (providers) =>
    `Dès que vous aurez signé, ${
      providers === 1
        ? 'ce secrétariat social transmettra'
        : 'ces secrétariats sociaux transmettront'
    } à votre bureau comptable, sous forme numérique (fichiers CODB), les écritures de paie. Vous n’aurez plus à les envoyer vous-même.`,
  sign: 'Lire et signer',
  orOpen: 'Le bouton ne fonctionne pas\u00a0? Ouvrez cette adresse dans votre navigateur\u00a0:',
  deadline: (date) => `Merci de répondre avant le ${date}\u00a0: le lien expire ce jour\u2011là.`,
  personal: 'Ce lien vous est personnel, ne le transférez pas. Vous pourrez aussi refuser.',
  unexpected: (firmName) =>
    `Vous n’attendiez pas ce message\u00a0? Adressez-vous à ${firmName} ou ignorez-le\u00a0: sans votre signature, il ne se passe rien.`,
  questions: (firmName) => `Des questions\u00a0? Adressez-vous à ${firmName}\u00a0:`,
};
