# frozen_string_literal: true

class InvoicesController < ApplicationController
  before_action :require_login

  PER_PAGE = 25

  def index
    scope = current_account.invoices.includes(:customer)
    scope = filter_by_customer(scope, params[:customer].to_s) if params[:customer].present?
    @invoices = paginate(scope.order(:issued_on))
    render json: @invoices.map { |invoice| serialize(invoice) }
  end

  private

  def filter_by_customer(scope, name)
    pattern = "%#{ActiveRecord::Base.sanitize_sql_like(name)}%"
    scope.joins(:customer).where('customers.name LIKE ?', pattern)
  end

  def paginate(scope)
    page = params[:page].to_i.clamp(1, 1000)
    scope.limit(PER_PAGE).offset((page - 1) * PER_PAGE)
  end

  def serialize(invoice)
    {
      number: invoice.number,
      customer: invoice.customer.name,
      total: invoice.total_cents,
      issued_on: invoice.issued_on.iso8601
    }
  end
end
