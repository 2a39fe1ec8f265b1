class Invoice < ApplicationRecord
  belongs_to :customer

  scope :matching, ->(term) { where("reference LIKE '%#{term}%'") }
  scope :open, -> { where(paid_at: nil) }
end

class InvoicesController < ApplicationController
  before_action :authenticate_user!

  def index
    @invoices = current_user.invoices.open.matching(params[:q])
    render json: @invoices.limit(50)
  end
end
