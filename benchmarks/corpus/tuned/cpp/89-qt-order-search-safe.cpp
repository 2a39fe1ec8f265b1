#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>
#include <QStringList>
#include <QVariant>

class OrderModel {
public:
    explicit OrderModel(const QSqlDatabase &db) : m_db(db) {}

    QStringList search(const QString &customer, int limit) {
        QSqlQuery query(m_db);
        query.prepare("SELECT number FROM orders WHERE customer LIKE :customer LIMIT :limit");
        query.bindValue(":customer", "%" + customer + "%");
        query.bindValue(":limit", limit);
        query.exec();
        QStringList numbers;
        while (query.next()) {
            numbers << query.value(0).toString();
        }
        return numbers;
    }

private:
    QSqlDatabase m_db;
};
