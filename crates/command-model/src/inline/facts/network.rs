//! Calls that talk to other machines.

use super::Facts;
use super::call::Call;
use crate::argument::{Cause, Value};
use crate::effect::EffectKind;
use crate::inline::expression::Expression;

impl Facts {
    /// What opening an address gives.
    pub(super) fn opened_address(&mut self, subject: &Expression) -> Option<Expression> {
        if subject.is_remote() {
            return Some(subject.clone());
        }
        let value = subject.to_value();
        let beginning = match &*value {
            Value::Known { text, .. } => text,
            Value::Dynamic(partial) => &partial.prefix,
            Value::Glob { .. } => return None,
        };
        if !["http://", "https://", "ftp://"].iter().any(|scheme| beginning.starts_with(scheme)) {
            return None;
        }
        self.network(subject, false);
        Some(Expression::dynamic(Cause::Remote))
    }

    pub(super) fn fetch(&mut self, call: &Call<'_>) -> Expression {
        let method = call.keyword(&["method", "type"]);
        let method = method.as_ref().and_then(Expression::known).unwrap_or("GET").to_ascii_uppercase();
        let upload = matches!(&*method, "POST" | "PUT" | "PATCH") || call.keyword(&["body", "data", "json", "files"]).is_some();
        self.network(&call.address(), upload);
        Expression::dynamic(Cause::Remote)
    }

    pub(super) fn network(&mut self, address: &Expression, upload: bool) {
        self.code.harmless = false;
        let value = address.to_value();
        let host = match &*value {
            Value::Known { text, .. } => Value::literal(host_of(text)),
            Value::Dynamic(partial) if partial.prefix.split_once("://").is_some_and(|(_, rest)| rest.contains('/')) => {
                Value::literal(host_of(&partial.prefix))
            }
            other => other.clone(),
        };
        let host = self.keep(&host);
        self.effect(EffectKind::Network { host: Some(host), upload });
    }
}

/// The host of an address.
fn host_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match host.split_once(':') {
        Some((name, port)) if !host.starts_with('[') && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
