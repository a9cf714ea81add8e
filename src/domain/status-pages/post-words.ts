/**
 * The built-in texts of automatic posts, in the language of the page. Names in double braces are placeholders. Pure.
 */
import type { StatusPageLanguage } from '../../contracts/status-pages';

export interface PostWords {
  readonly opened: { readonly title: string; readonly text: string };
  readonly resolved: string;
  /** The text that is used if no items are named. */
  readonly noItems: string;
  readonly maintenance: string;
  readonly planned: string;
  readonly moved: string;
  readonly started: string;
  readonly completed: string;
  readonly cancelled: string;
}

export const POST_WORDS: Readonly<Record<StatusPageLanguage, PostWords>> = {
  en: {
    opened: {
      title: 'Problem with {{items}}',
      text: 'We are looking into a problem with {{items}}.',
    },
    resolved: 'The problem with {{items}} is resolved.',
    noItems: 'our service',
    maintenance: 'Maintenance of {{items}}',
    planned: 'Planned from {{from}} to {{to}}.',
    moved: 'Moved: now planned from {{from}} to {{to}}.',
    started: 'The maintenance is under way. It is planned until {{to}}.',
    completed: 'The maintenance is over.',
    cancelled: 'The maintenance is cancelled.',
  },
  de: {
    opened: {
      title: 'Störung: {{items}}',
      text: 'Wir untersuchen eine Störung: {{items}}.',
    },
    resolved: 'Die Störung ist behoben: {{items}}.',
    noItems: 'unser Dienst',
    maintenance: 'Wartung: {{items}}',
    planned: 'Geplant von {{from}} bis {{to}}.',
    moved: 'Verschoben: jetzt geplant von {{from}} bis {{to}}.',
    started: 'Die Wartung läuft. Sie ist bis {{to}} geplant.',
    completed: 'Die Wartung ist beendet.',
    cancelled: 'Die Wartung ist abgesagt.',
  },
  fr: {
    opened: {
      title: 'Incident : {{items}}',
      text: 'Nous examinons un incident : {{items}}.',
    },
    resolved: 'L’incident est résolu : {{items}}.',
    noItems: 'notre service',
    maintenance: 'Maintenance : {{items}}',
    planned: 'Prévue du {{from}} au {{to}}.',
    moved: 'Reportée : désormais prévue du {{from}} au {{to}}.',
    started: 'La maintenance est en cours. Elle est prévue jusqu’au {{to}}.',
    completed: 'La maintenance est terminée.',
    cancelled: 'La maintenance est annulée.',
  },
  es: {
    opened: {
      title: 'Incidencia: {{items}}',
      text: 'Estamos investigando una incidencia: {{items}}.',
    },
    resolved: 'La incidencia está resuelta: {{items}}.',
    noItems: 'nuestro servicio',
    maintenance: 'Mantenimiento: {{items}}',
    planned: 'Previsto del {{from}} al {{to}}.',
    moved: 'Aplazado: ahora está previsto del {{from}} al {{to}}.',
    started: 'El mantenimiento está en curso. Está previsto hasta el {{to}}.',
    completed: 'El mantenimiento ha terminado.',
    cancelled: 'El mantenimiento se ha cancelado.',
  },
  'pt-BR': {
    opened: {
      title: 'Incidente: {{items}}',
      text: 'Estamos investigando um incidente: {{items}}.',
    },
    resolved: 'O incidente foi resolvido: {{items}}.',
    noItems: 'nosso serviço',
    maintenance: 'Manutenção: {{items}}',
    planned: 'Prevista de {{from}} até {{to}}.',
    moved: 'Remarcada: agora prevista de {{from}} até {{to}}.',
    started: 'A manutenção está em andamento. Está prevista até {{to}}.',
    completed: 'A manutenção terminou.',
    cancelled: 'A manutenção foi cancelada.',
  },
  ja: {
    opened: {
      title: '障害:{{items}}',
      text: '障害を調査しています:{{items}}',
    },
    resolved: '障害は解消しました:{{items}}',
    noItems: 'サービス',
    maintenance: 'メンテナンス:{{items}}',
    planned: '{{from}}から{{to}}まで予定されています。',
    moved: '日時が変更されました。{{from}}から{{to}}まで予定されています。',
    started: 'メンテナンス中です。{{to}}まで予定されています。',
    completed: 'メンテナンスは終了しました。',
    cancelled: 'メンテナンスは中止されました。',
  },
  zh: {
    opened: {
      title: '故障:{{items}}',
      text: '我们正在调查故障:{{items}}',
    },
    resolved: '故障已解决:{{items}}',
    noItems: '我们的服务',
    maintenance: '维护:{{items}}',
    planned: '计划于 {{from}} 至 {{to}} 进行。',
    moved: '时间已变更:现计划于 {{from}} 至 {{to}} 进行。',
    started: '维护正在进行,预计到 {{to}} 结束。',
    completed: '维护已结束。',
    cancelled: '维护已取消。',
  },
};
