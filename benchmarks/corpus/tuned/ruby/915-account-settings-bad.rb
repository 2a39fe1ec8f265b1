class AccountsController < ApplicationController
  before_action :authenticate_user!
  before_action :load_account

  def show
    render json: AccountPresenter.new(@account)
  end

  def update
    if @account.update(account_attributes)
      AuditEvent.record!(actor: current_user, action: 'account.updated')
      render json: AccountPresenter.new(@account)
    else
      render json: { errors: @account.errors.full_messages }, status: :unprocessable_entity
    end
  end

  private

  def load_account
    @account = current_user.account
  end

  def account_attributes
    attributes = params.require(:account)
    attributes.permit!.to_h
  end
end
